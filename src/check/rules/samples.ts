import { counted } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Page, Sample } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import { changedPages, type EditedPage, editedPages, newItems } from './compare.ts';
import { downloadsThatRun } from './downloads.ts';
import { significantLines } from './sample-lines.ts';

/**
 * Samples of which a line was changed or removed, and new lines that run what they download. Other added
 * lines pass, and so do samples that moved. Nobody runs a comment or a diagram.
 */
export function sampleChanged(change: Change): readonly Finding[] {
  return [...changedSamples(change), ...downloadsThatRun(change)];
}

function changedSamples(change: Change): readonly Finding[] {
  const newSamples = changedPages(change).flatMap(({ before, after }) =>
    newItems(samplesOf(before), samplesOf(after), textOf),
  );
  return editedPages(change).flatMap((page) => judgePage(page, newSamples));
}

function judgePage(
  { file, before, after }: EditedPage,
  newSamples: readonly Sample[],
): readonly Finding[] {
  const successors = [...newItems(before.samples, after.samples, textOf)];
  const losses: Finding[] = [];
  const gone = newItems(after.samples, before.samples, textOf);
  for (const sample of gone.filter(({ language }) => language !== 'mermaid')) {
    const place = successors.findIndex((successor) => holds(successor, sample));
    if (place !== -1) {
      successors.splice(place, 1);
    } else if (!isSplit(sample, successors) && !hasMoved(sample, successors, newSamples)) {
      losses.push(findingOf(file.path, sample, successors));
    }
  }
  return losses;
}

/**
 * Whether a sample stands on another page now. If another one took its place, it does not matter that it
 * stands elsewhere as well.
 */
function hasMoved(
  sample: Sample,
  successors: readonly Sample[],
  newSamples: readonly Sample[],
): boolean {
  const isReplaced = successors.some(({ language }) => language === sample.language);
  return !isReplaced && newSamples.some((other) => holds(other, sample));
}

/** Comparing a lost sample with all of a hostile page's samples would take too long. */
const mostSuccessors = 20;

function findingOf(file: string, sample: Sample, successors: readonly Sample[]): Finding {
  const [successor, gone] = successors
    .slice(0, mostSuccessors)
    .map((other) => [other, goneLines(sample, other)] as const)
    .reduce<readonly [Sample | undefined, readonly string[]]>(
      (best, next) => (next[1].length < best[1].length ? next : best),
      [undefined, significantLines(sample)],
    );
  const name = sample.language === '' ? 'a sample' : `a sample of ${sample.language}`;
  return {
    rule: 'sample-changed',
    file,
    ...(successor === undefined ? {} : { line: successor.line }),
    what:
      successor === undefined
        ? `has lost ${name} with ${counted(gone.length, 'line')}`
        : `has ${name} in which ${counted(gone.length, 'line')} changed or went`,
    was: gone.join('\n'),
  };
}

/** Whether the lines of a sample stand in several others now, such as one for each step. */
function isSplit(sample: Sample, successors: readonly Sample[]): boolean {
  const parts = successors.filter(({ language }) => language === sample.language);
  return hasLines(parts.slice(0, mostSuccessors).flatMap(significantLines), sample);
}

/** Whether a sample has all lines of another one, in their order, so that lines were only added. */
function holds(sample: Sample, other: Sample): boolean {
  return hasLines(significantLines(sample), other);
}

function hasLines(lines: readonly string[], other: Sample): boolean {
  const wanted = significantLines(other);
  let found = 0;
  for (const [index, line] of lines.entries()) {
    const isLast = isClosing(wanted[found + 1]) && !isClosing(lines[index + 1] ?? ')');
    if (line === wanted[found] || (isLast && line === `${wanted[found]},`)) {
      found += 1;
    }
  }
  return found === wanted.length;
}

/** What was the last item of a list gets a comma where another one follows it now. */
function isClosing(line: string | undefined): boolean {
  return line !== undefined && /^\s*[\])}]/u.test(line);
}

function goneLines(before: Sample, after: Sample): readonly string[] {
  return newItems(significantLines(after), significantLines(before), (line) => line);
}

function samplesOf(page: Page | undefined): readonly Sample[] {
  return page?.samples ?? [];
}

function textOf(sample: Sample): string {
  return significantLines(sample).join('\n');
}
