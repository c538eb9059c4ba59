import { counted } from '../../text/plain.ts';
import type { Change } from '../change.ts';
import type { Page, Sample } from '../docs/page.ts';
import type { Finding } from '../finding.ts';
import { changedPages, type EditedPage, editedPages, newItems } from './compare.ts';

/**
 * Samples of which a line was changed or removed. Added lines pass, and so do samples that moved.
 * Nobody runs a comment or a diagram.
 */
export function sampleChanged(change: Change): readonly Finding[] {
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
    } else if (!newSamples.some((other) => holds(other, sample))) {
      losses.push(findingOf(file.path, sample, successors));
    }
  }
  return losses;
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

/** Whether a sample has all lines of another one, in their order, so that lines were only added. */
function holds(sample: Sample, other: Sample): boolean {
  const wanted = significantLines(other);
  let found = 0;
  for (const line of significantLines(sample)) {
    if (line === wanted[found]) {
      found += 1;
    }
  }
  return found === wanted.length;
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

/** The lines of code, without the indentation of the whole and spaces at an end. */
function significantLines({ lines, language }: Sample): readonly string[] {
  const isMarkdown = /^mdx?$|^markdown$/iu.test(language);
  const written = lines
    .map((line) => (isMarkdown ? line : withoutComment(line)).trimEnd())
    .filter((line) => line !== '');
  const indentation = Math.min(...written.map((line) => line.length - line.trimStart().length));
  return written.map((line) => line.slice(indentation));
}

/** A comment in most languages, at the beginning of a line or after a space. */
const comment = /(?:^|\s)(?:\/\/|#)(?:\s.*)?$/u;

/** The code of a line. What begins inside a string is no comment. */
function withoutComment(line: string): string {
  const code = line.replace(comment, '');
  return /^[^"'`]*(?:(["'`])(?:(?!\1).)*\1[^"'`]*)*$/u.test(code) ? code : line;
}
