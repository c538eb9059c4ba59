import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import {
  type ChangedPage,
  changedPages,
  editedPages,
  newItems,
  withPlainSpaces,
} from './compare.ts';
import { isPage } from './page-path.ts';

/** A shorter page is soon halved by an ordinary edit. */
const leastCharacters = 400;

/** Pages that lost more than half of their text. Text that moved to another changed page is not lost. */
export function textLost(change: Change): readonly Finding[] {
  return [...deletedPages(change), ...shortenedPages(change)];
}

/** Whatever redirects its readers: what they came for is on no page any more. */
function deletedPages(change: Change): readonly Finding[] {
  return changedPages(change)
    .filter(({ file }) => file.status === 'deleted' && isPage(change.before, file.path))
    .flatMap((page) => {
      const characters = lengthOf(page.before?.prose ?? []);
      const left = lengthOf(movedProse(page, change));
      if (characters === 0 || page.before?.problem !== undefined) {
        return [{ rule: 'text-lost' as const, file: page.file.path, what: 'was deleted' }];
      }
      const what = `was deleted with ${percentOf(left, characters)} of its text: ${left} of ${characters} characters are on other pages that changed`;
      return left * 2 >= characters
        ? []
        : [{ rule: 'text-lost' as const, file: page.file.path, what }];
    });
}

function shortenedPages(change: Change): readonly Finding[] {
  return editedPages(change).flatMap((page) => {
    const characters = lengthOf(page.before.prose);
    const kept = lengthOf(page.after.prose);
    if (characters < leastCharacters || kept * 2 >= characters) {
      return [];
    }
    const left = kept + lengthOf(movedProse(page, change));
    const what = `has lost ${percentOf(left, characters)} of its text: ${left} of ${characters} characters are left`;
    return left * 2 >= characters ? [] : [{ rule: 'text-lost', file: page.file.path, what }];
  });
}

function percentOf(left: number, characters: number): string {
  return `${Math.floor((1 - left / characters) * 100)}%`;
}

/** What left a page and is new in another one. */
function movedProse({ file, before, after }: ChangedPage, change: Change): readonly Passage[] {
  const elsewhere = changedPages(change)
    .filter((other) => other.file !== file)
    .flatMap((other) => newItems(other.before?.prose ?? [], other.after?.prose ?? [], textOf));
  const gone = newItems(after?.prose ?? [], before?.prose ?? [], textOf);
  const lost = new Set(newItems(elsewhere, gone, textOf));
  return gone.filter((passage) => !lost.has(passage));
}

function lengthOf(prose: readonly Passage[]): number {
  return prose.reduce((sum, passage) => sum + textOf(passage).length, 0);
}

function textOf({ text }: Passage): string {
  return withPlainSpaces(text);
}
