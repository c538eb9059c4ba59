import type { Change } from '../change.ts';
import type { Passage } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import {
  type ChangedPage,
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
  const arrived = countsOf(changedPages(change).flatMap(newTexts));
  return editedPages(change).flatMap((page) => {
    const characters = lengthOf(page.before.prose);
    const kept = lengthOf(page.after.prose);
    if (characters < leastCharacters || kept * 2 >= characters) {
      return [];
    }
    const left = kept + lengthOf(movedProse(page, arrived));
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

/**
 * What left a page and is new in another one.
 * @param arrived how often each passage is new in the changed pages, this one included
 */
function movedProse(page: EditedPage, arrived: ReadonlyMap<string, number>): readonly Passage[] {
  const here = countsOf(newTexts(page));
  const found = new Map<string, number>();
  return newItems(page.after.prose, page.before.prose, textOf).filter((passage) => {
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
