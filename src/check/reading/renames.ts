import { posix } from 'node:path';
import { newItems } from '../rules/compare.ts';
import type { Difference } from './differences.ts';
import { extensionOf } from './paths.ts';

/** Half of the lines, as git has it. */
const leastShared = 0.5;

/** Comparing more lines takes longer than a second. */
const mostComparedLines = 3_000_000;

/** The text of a blob; `undefined` if it is not known. */
type TextOf = (sha: string) => string | undefined;

/**
 * Joins deleted and added files that are the same file under another name: those with the same content
 * first, then those with the same extension that share at least half of their lines.
 */
export function withRenames(
  differences: readonly Difference[],
  textOf: TextOf,
): readonly Difference[] {
  const deleted = differences.filter(({ after }) => after === undefined);
  const added = differences.filter(({ before }) => before === undefined);
  const equal = joined(equalPairs(deleted, added), new Map());
  const taken = new Set([...equal.keys(), ...equal.values()]);
  const isOpen = (difference: Difference) => !taken.has(difference);
  const similar = similarPairs(deleted.filter(isOpen), added.filter(isOpen), textOf);
  const sources = joined(similar, equal);
  const moved = new Set(sources.values());
  return differences
    .filter((difference) => !moved.has(difference))
    .map((difference) => {
      const from = sources.get(difference);
      return from === undefined
        ? difference
        : { ...difference, previousPath: from.path, before: from.before };
    });
}

/** A deleted file and an added one. */
interface Pair {
  readonly from: Difference;
  readonly to: Difference;
}

/** Joins the pairs in their order, each file once. The key is the added file. */
function joined(
  pairs: readonly Pair[],
  earlier: ReadonlyMap<Difference, Difference>,
): ReadonlyMap<Difference, Difference> {
  const sources = new Map(earlier);
  const taken = new Set([...sources.keys(), ...sources.values()]);
  for (const { from, to } of pairs) {
    if (!taken.has(from) && !taken.has(to)) {
      sources.set(to, from);
      taken.add(from).add(to);
    }
  }
  return sources;
}

/** Those that keep their name come first, because several files can have the same content. */
function equalPairs(deleted: readonly Difference[], added: readonly Difference[]): readonly Pair[] {
  const bySha = Map.groupBy(added, ({ after }) => after?.sha);
  const pairs = deleted
    .filter(({ before }) => before?.bytes !== 0)
    .flatMap((from) =>
      nearest(from, bySha.get(from.before?.sha) ?? [])
        .filter((to) => to.after?.kind === from.before?.kind)
        .map((to) => ({ from, to })),
    );
  return pairs.toSorted((one, other) => Number(keepsName(other)) - Number(keepsName(one)));
}

/** A thousand equal files would have a million pairs. */
const mostEqual = 50;

function nearest(from: Difference, candidates: readonly Difference[]): readonly Difference[] {
  return candidates.length <= mostEqual
    ? candidates
    : candidates.filter((to) => keepsName({ from, to })).slice(0, mostEqual);
}

function keepsName({ from, to }: Pair): boolean {
  return posix.basename(from.path) === posix.basename(to.path);
}

/** The pairs that are similar enough, most similar first. */
function similarPairs(
  deleted: readonly Difference[],
  added: readonly Difference[],
  textOf: TextOf,
): readonly Pair[] {
  const old = deleted.map((file) => withLines(file, file.before, textOf));
  const now = added.map((file) => withLines(file, file.after, textOf));
  const candidates = old
    .flatMap((from) => now.map((to) => ({ from, to })))
    .filter(({ from, to }) => from.extension === to.extension && haveSimilarLength(from, to));
  let budget = mostComparedLines;
  const similar = candidates.flatMap(({ from, to }) => {
    budget -= from.lines.length + to.lines.length;
    const share = budget < 0 ? 0 : sharedPart(from.lines, to.lines);
    return share < leastShared ? [] : [{ from: from.file, to: to.file, share }];
  });
  return similar.sort((one, other) => other.share - one.share);
}

interface Lines {
  readonly file: Difference;
  readonly extension: string;
  readonly lines: readonly string[];
}

function withLines(file: Difference, entry: Difference['before'], textOf: TextOf): Lines {
  const text = entry?.kind === 'file' ? (textOf(entry.sha) ?? '') : '';
  const lines = text.split('\n').map((line) => line.trim());
  return { file, extension: extensionOf(file.path), lines: lines.filter((line) => line !== '') };
}

function haveSimilarLength(one: Lines, other: Lines): boolean {
  const [fewer = 0, more = 0] = [one.lines.length, other.lines.length].sort((a, b) => a - b);
  return fewer > 0 && fewer >= more * leastShared;
}

function sharedPart(lines: readonly string[], others: readonly string[]): number {
  const shared = others.length - newItems(lines, others, (line) => line).length;
  return shared / Math.max(lines.length, others.length);
}
