import { posix } from 'node:path';
import { plainAddress } from '../docs/addresses.ts';
import { newItems } from '../rules/compare.ts';
import type { Difference } from './differences.ts';
import { extensionOf, isPagePath } from './paths.ts';

/** Half of the lines, as git has it. */
const leastShared = 0.5;

/** Comparing more lines takes longer than a second. */
const mostComparedLines = 3_000_000;

/** The text of a blob; `undefined` if it is not known. */
type TextOf = (sha: string) => string | undefined;

/**
 * Joins deleted and added files that are the same file under another name: pages with the same address
 * first, whatever they say, then files with the same content, then those with the same extension that share at least half of their lines.
 */
export function withRenames(
  differences: readonly Difference[],
  textOf: TextOf,
): readonly Difference[] {
  const deleted = differences.filter(({ after }) => after === undefined);
  const added = differences.filter(({ before }) => before === undefined);
  const same = joined(pairsOfAddresses(deleted, added), new Map());
  const equal = joined(equalPairs(deleted, added), same);
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

/** `setup.mdx` and `setup.md` have the same address, and so does `setup/index.mdx`. */
function pairsOfAddresses(
  deleted: readonly Difference[],
  added: readonly Difference[],
): readonly Pair[] {
  const pages = added.filter(({ path }) => isPagePath(path));
  const byAddress = Map.groupBy(pages, ({ path }) => plainAddress(path));
  return deleted
    .filter(({ path }) => isPagePath(path))
    .flatMap((from) => (byAddress.get(plainAddress(from.path)) ?? []).map((to) => ({ from, to })));
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
  const similar: SimilarPair[] = [];
  let budget = mostComparedLines;
  for (const from of old) {
    // Of many small files, the pairs themselves are too many.
    budget -= now.length;
    const comparable = budget < 0 ? [] : now.filter((to) => isComparable(from, to));
    for (const to of comparable) {
      budget -= from.lines.length + to.lines.length;
      const share = budget < 0 ? 0 : sharedPart(from.lines, to.lines);
      if (share >= leastShared) {
        similar.push({ from: from.file, to: to.file, share });
      }
    }
  }
  return similar.sort((one, other) => other.share - one.share);
}

interface SimilarPair extends Pair {
  readonly share: number;
}

function isComparable(from: Lines, to: Lines): boolean {
  return from.extension === to.extension && haveSimilarLength(from, to);
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
