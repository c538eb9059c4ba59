import type { Sample } from '../docs/page.ts';
import { closestTo } from '../similar.ts';
import { newItems } from './compare.ts';
import { significantLines } from './sample-lines.ts';

/**
 * The new sample that took the place of one that is gone: the one with most of its lines, or else one with
 * a similar first line, or else the one at the same place among those of its language.
 *
 * @param gone the first ones of the page, in order; of any other one, only equal lines count
 */
export function successorOf(
  sample: Sample,
  gone: readonly Sample[],
  successors: readonly Sample[],
): Sample | undefined {
  const same = withSameLines(sample, successors);
  return same !== undefined || !gone.includes(sample)
    ? same
    : (withSimilarLine(sample, successors) ?? atSamePlace(sample, gone, successors));
}

/** The lines of a sample that another one lacks. */
export function goneLines(before: Sample, after: Sample): readonly string[] {
  return newItems(significantLines(after), significantLines(before), (line) => line);
}

function withSameLines(sample: Sample, successors: readonly Sample[]): Sample | undefined {
  const [successor] = successors
    .map((other) => [other, goneLines(sample, other).length] as const)
    .reduce<readonly [Sample | undefined, number]>(
      (best, next) => (next[1] < best[1] ? next : best),
      [undefined, significantLines(sample).length],
    );
  return successor;
}

function withSimilarLine(sample: Sample, successors: readonly Sample[]): Sample | undefined {
  const candidates = ofLanguage(sample, successors);
  const lines = candidates.map(firstLine);
  const closest = closestTo(firstLine(sample), lines);
  return closest === undefined ? undefined : candidates[lines.indexOf(closest)];
}

/** Where there are as many new samples as gone ones, each stands for another. */
function atSamePlace(
  sample: Sample,
  gone: readonly Sample[],
  successors: readonly Sample[],
): Sample | undefined {
  const [old, now] = [ofLanguage(sample, gone), ofLanguage(sample, successors)];
  return old.length === now.length ? now[old.indexOf(sample)] : undefined;
}

function ofLanguage({ language }: Sample, samples: readonly Sample[]): readonly Sample[] {
  return samples.filter((other) => other.language === language);
}

function firstLine(sample: Sample): string {
  return significantLines(sample)[0] ?? '';
}
