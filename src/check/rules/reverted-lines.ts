import { structuredPatch } from 'diff';
import { counted, shortened } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Finding } from '../old-finding.ts';
import { type Line, linesOf, pathBefore } from './compare.ts';

/** Lines that a change took out, and those that it put in their place. */
interface Hunk {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Of the first added line, in the text after the change, from 1. */
  readonly line: number;
}

/** Fewer characters, such as a brace or a fence, are equal by chance. */
const leastCharacters = 15;

/** A comparison of more lines takes too long, and so many are a large change anyway. */
const mostEdits = 4000;

const longestLine = 120;

/** A page with more of them was written anew, by a generator or a translator. */
const mostOfPage = 3;

/** Lines that go back to what they were before the last change of them. */
export function revertedLines(change: Change): readonly Finding[] {
  return change.files.flatMap((file) => {
    const { before, after } = file;
    const earlier = change.earlier.filter(({ path }) => path === pathBefore(file));
    if (before === undefined || after === undefined || earlier.length === 0) {
      return [];
    }
    const undoable = earlier.flatMap((one) =>
      hunksOf(one.before, one.after).map((hunk) => ({ ...hunk, commit: one.commit })),
    );
    const byLine = hunksByLine(undoable);
    const findings = hunksOf(before, after).flatMap((hunk) => {
      const candidates = byLine.get(firstLine(hunk.removed, hunk.added)) ?? [];
      const undone = candidates.find((other) => isUndoing(hunk, other));
      return undone === undefined ? [] : [findingOf(file.path, hunk, undone.commit)];
    });
    return findings.length > mostOfPage ? folded(findings) : findings;
  });
}

/** The first finding, for all of them. */
function folded([first, ...others]: readonly Finding[]): readonly Finding[] {
  return first === undefined
    ? []
    : [{ ...first, what: `${first.what} (and ${counted(others.length, 'other place')})` }];
}

function findingOf(file: string, hunk: Hunk, commit: string): Finding {
  const [first] = hunk.added;
  return {
    rule: 'reverted-lines',
    file,
    line: hunk.line,
    what:
      first === undefined
        ? `removes what commit ${commit.slice(0, 7)} added`
        : `is again as it was before commit ${commit.slice(0, 7)}: ${shortened(first, longestLine)}`,
    ...(hunk.removed.length === 0 ? {} : { was: hunk.removed.join('\n') }),
  };
}

/** The hunks by each line that undoing them would take out or, where it takes out none, put back. */
function hunksByLine<Earlier extends Hunk>(hunks: readonly Earlier[]): Map<string, Earlier[]> {
  const byLine = new Map<string, Earlier[]>();
  for (const hunk of hunks) {
    const lines = hunk.added.length > 0 ? hunk.added : hunk.removed;
    for (const line of new Set(lines)) {
      const key = hunk.added.length > 0 ? firstLine([line], []) : firstLine([], [line]);
      byLine.set(key, [...(byLine.get(key) ?? []), hunk]);
    }
  }
  return byLine;
}

function firstLine(removed: readonly string[], added: readonly string[]): string {
  return removed.length > 0 ? `-${removed[0]}` : `+${added[0] ?? ''}`;
}

/**
 * Whether a hunk restores what an earlier one changed: all its lines or some of them. Of lines that the
 * earlier one only added, or only removed, it has to be all, because texts grow and shrink in parts.
 */
function isUndoing(hunk: Hunk, earlier: Hunk): boolean {
  const characters = [...hunk.removed, ...hunk.added].join('').length;
  if (characters < leastCharacters) {
    return false;
  }
  return hunk.removed.length === 0 || hunk.added.length === 0
    ? isEqual(hunk.removed, earlier.added) && isEqual(hunk.added, earlier.removed)
    : isPart(hunk.removed, earlier.added) && isPart(hunk.added, earlier.removed);
}

function isEqual(lines: readonly string[], others: readonly string[]): boolean {
  return lines.length === others.length && lines.every((line, index) => line === others[index]);
}

function isPart(lines: readonly string[], others: readonly string[]): boolean {
  const known = new Set(others);
  return lines.every((line) => known.has(line));
}

/** The hunks of the lines that are not blank; none where the texts differ too much. */
function hunksOf(before: string, after: string): readonly Hunk[] {
  const linesAfter = writtenLines(after);
  const patch = structuredPatch('', '', textOf(writtenLines(before)), textOf(linesAfter), '', '', {
    context: 0,
    maxEditLength: mostEdits,
  });
  return (patch?.hunks ?? []).map(({ lines, newStart }) => ({
    removed: marked(lines, '-'),
    added: marked(lines, '+'),
    line: linesAfter[Math.max(newStart - 1, 0)]?.line ?? 1,
  }));
}

function marked(lines: readonly string[], mark: '+' | '-'): readonly string[] {
  return lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
}

function writtenLines(text: string): readonly Line[] {
  return linesOf(text)
    .map(({ text, line }) => ({ text: text.trim(), line }))
    .filter(({ text }) => text !== '');
}

function textOf(lines: readonly Line[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}
