import { diffArrays } from 'diff';
import { newItems } from '../rules/compare.ts';

/** Lines of text added and deleted. */
export interface LineCounts {
  readonly additions: number;
  readonly deletions: number;
}

/** Comparing two texts that differ more takes too long, and so do more texts that differ so much. */
const mostEdits = 1500;
const mostEditsOfAll = 20_000;

/**
 * Counts as `git diff` does. Of texts that differ in very many lines, or come after very many of them,
 * lines that only moved are not counted.
 */
export function createLineCounter(most: number = mostEditsOfAll): typeof countLines {
  let editsLeft = most;
  return (before, after) => {
    const counts = countLines(before, after, Math.min(mostEdits, editsLeft));
    editsLeft -= Math.min(mostEdits, editsLeft, counts.additions + counts.deletions);
    return counts;
  };
}

export function countLines(before: string, after: string, most: number = mostEdits): LineCounts {
  const [old, now] = [linesOf(before), linesOf(after)];
  const parts = diffArrays(old, now, { maxEditLength: most });
  if (parts === undefined) {
    return { additions: missing(now, old), deletions: missing(old, now) };
  }
  const count = (wanted: 'added' | 'removed') =>
    parts.reduce((sum, part) => sum + (part[wanted] ? part.value.length : 0), 0);
  return { additions: count('added'), deletions: count('removed') };
}

/** How many lines of one text the other one lacks. */
function missing(lines: readonly string[], others: readonly string[]): number {
  return newItems(others, lines, (line) => line).length;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
