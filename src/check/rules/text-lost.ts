import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
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
  const arrived = countsOf(changedPages(change).flatMap(newTexts));
  return [...deletedPages(change, arrived), ...shortenedPages(change, arrived)];
}

/** How often each passage is new in the changed pages. */
type Arrived = ReadonlyMap<string, number>;

/** Whatever redirects its readers: what they came for is on no page any more. */
function deletedPages(change: Change, arrived: Arrived): readonly Finding[] {
  return changedPages(change)
    .filter(({ file }) => file.status === 'deleted' && isPage(change.before, file.path))
    .flatMap((page) => {
      const characters = lengthOf(page.before?.prose ?? []);
      const left = lengthOf(movedProse(page, arrived));
      if (characters === 0 || page.before?.problem !== undefined) {
        return [{ rule: 'text-lost' as const, file: page.file.path, what: 'was deleted' }];
      }
      const what = `was deleted with ${percentOf(left, characters)} of its text: ${left} of ${characters} characters are on other pages that changed`;
      return left * 2 >= characters
        ? []
        : [{ rule: 'text-lost' as const, file: page.file.path, what }];
    });
}

function shortenedPages(change: Change, arrived: Arrived): readonly Finding[] {
  return editedPages(change).flatMap((page) => {
    const characters = lengthOf(page.before.prose);
    const kept = lengthOf(page.after.prose);
    if (characters < leastCharacters || kept * 2 >= characters) {
      return [];
    }
    const left = kept + lengthOf(movedProse(page, arrived));
    const what = `has lost ${percentOf(left, characters)} of its text: ${left} of ${characters} characters are left`;
    return left * 2 >= characters ? [] : [{ rule: 'text-lost', file: page.file.path, what }];
  });
}

function percentOf(left: number, characters: number): string {
  return `${Math.floor((1 - left / characters) * 100)}%`;
}

/** What left a page and is new in another one; this one has arrived in itself as well. */
function movedProse(page: ChangedPage, arrived: Arrived): readonly Passage[] {
  const here = countsOf(newTexts(page));
  const found = new Map<string, number>();
  return newItems(page.after?.prose ?? [], page.before?.prose ?? [], textOf).filter((passage) => {
    const text = textOf(passage);
    const count = (found.get(text) ?? 0) + 1;
    found.set(text, count);
    return count <= (arrived.get(text) ?? 0) - (here.get(text) ?? 0);
  });
}

function newTexts({ before, after }: ChangedPage): readonly string[] {
  return newItems(before?.prose ?? [], after?.prose ?? [], textOf).map(textOf);
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

function lengthOf(prose: readonly Passage[]): number {
  return prose.reduce((sum, passage) => sum + textOf(passage).length, 0);
}

function textOf({ text }: Passage): string {
  return withPlainSpaces(text);
}
