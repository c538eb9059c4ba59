import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import {
  changedPages,
  type EditedPage,
  editedPages,
  newItems,
  withPlainSpaces,
} from './compare.ts';

/** A shorter page is soon halved by an ordinary edit. */
const leastCharacters = 400;

/** Pages that lost more than half of their text. Text that moved to another changed page is not lost. */
export function textLost(change: Change): readonly Finding[] {
  return editedPages(change).flatMap((page) => {
    const characters = lengthOf(page.before.prose);
    const kept = lengthOf(page.after.prose);
    if (characters < leastCharacters || kept * 2 >= characters) {
      return [];
    }
    const left = kept + lengthOf(movedProse(page, change));
    return left * 2 >= characters ? [] : [findingOf(page, left, characters)];
  });
}

function findingOf({ file }: EditedPage, left: number, characters: number): Finding {
  const percent = Math.floor((1 - left / characters) * 100);
  return {
    rule: 'text-lost',
    file: file.path,
    what: `has lost ${percent}% of its text: ${left} of ${characters} characters are left`,
  };
}

/** What left a page and is new in another one. */
function movedProse({ file, before, after }: EditedPage, change: Change): readonly Passage[] {
  const elsewhere = changedPages(change)
    .filter((other) => other.file !== file)
    .flatMap((other) => newItems(other.before?.prose ?? [], other.after?.prose ?? [], textOf));
  const gone = newItems(after.prose, before.prose, textOf);
  const lost = new Set(newItems(elsewhere, gone, textOf));
  return gone.filter((passage) => !lost.has(passage));
}

function lengthOf(prose: readonly Passage[]): number {
  return prose.reduce((sum, passage) => sum + textOf(passage).length, 0);
}

function textOf({ text }: Passage): string {
  return withPlainSpaces(text);
}
