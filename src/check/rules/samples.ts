import { counted } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Page, Sample } from '../docs/page.ts';
import type { Finding } from '../old-finding.ts';
import { changedPages, type EditedPage, editedPages, newItems } from './compare.ts';
import { downloadsThatRun } from './downloads.ts';
import { significantLines } from './sample-lines.ts';
import { goneLines, successorOf } from './sample-successor.ts';

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
  const elsewhere = finderOf(newSamples);
  return editedPages(change).flatMap((page) => judgePage(page, elsewhere));
}

function judgePage({ file, before, after }: EditedPage, elsewhere: Finder): readonly Finding[] {
  const successors = newItems(before.samples, after.samples, textOf);
  const find = finderOf(successors);
  const left = new Set(successors);
  const losses: Sample[] = [];
  const gone = newItems(after.samples, before.samples, textOf);
  for (const sample of gone.filter(({ language }) => language !== 'mermaid')) {
    const successor = find(sample).find((other) => left.has(other) && holds(other, sample));
    if (successor !== undefined) {
      left.delete(successor);
    } else if (
      !isSplit(sample, left) &&
      (isReplaced(sample, left) || !elsewhere(sample).some((other) => holds(other, sample)))
    ) {
      losses.push(sample);
    }
  }
  const shown = [...left].slice(0, mostSuccessors);
  const first = losses.slice(0, mostSuccessors);
  return losses.map((sample) => findingOf(file.path, sample, successorOf(sample, first, shown)));
}

/** Gives those samples that may hold another one. */
type Finder = (sample: Sample) => readonly Sample[];

/** Comparing each of very many samples with all others would take minutes. */
function finderOf(samples: readonly Sample[]): Finder {
  const byLine = new Map<string, Sample[]>();
  for (const sample of samples) {
    for (const line of new Set(significantLines(sample))) {
      const others = byLine.get(line) ?? [];
      others.push(sample);
      byLine.set(line, others);
    }
  }
  return (sample) => {
    const [first] = significantLines(sample);
    return first === undefined
      ? samples
      : [...(byLine.get(first) ?? []), ...(byLine.get(`${first},`) ?? [])];
  };
}

/** Whether another sample took its place: then it does not matter that it stands elsewhere as well. */
function isReplaced({ language }: Sample, successors: ReadonlySet<Sample>): boolean {
  for (const other of successors) {
    if (other.language === language) {
      return true;
    }
  }
  return false;
}

/** Comparing a lost sample with all of a hostile page's samples would take too long. */
const mostSuccessors = 20;

function findingOf(file: string, sample: Sample, successor: Sample | undefined): Finding {
  const gone = successor === undefined ? significantLines(sample) : goneLines(sample, successor);
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
function isSplit(sample: Sample, successors: ReadonlySet<Sample>): boolean {
  const parts = [...successors].filter(({ language }) => language === sample.language);
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

function samplesOf(page: Page | undefined): readonly Sample[] {
  return page?.samples ?? [];
}

function textOf(sample: Sample): string {
  return significantLines(sample).join('\n');
}
