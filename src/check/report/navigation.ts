import { oneLine } from '../../text/plain.ts';
import type { NavigationNode } from '../docs/site.ts';

/** A line of the changed navigation. */
interface TreeLine {
  /** `+` new, `-` gone, `!` in another place among its neighbours, a space for a group with changes inside. */
  readonly sign: '+' | '-' | '!' | ' ';
  readonly depth: number;
  readonly text: string;
}

/** Deeper navigation is not shown, so that a crafted one cannot exhaust the stack. */
const mostDepth = 20;

/** A longer name would push its sign out of view. */
const maxLabelLength = 100;

/**
 * The change of the navigation as a tree, for a block of the language `diff`; one line for each entry.
 * Entries that only changed their place say so.
 */
export function navigationChange(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly string[] {
  const lines = compareNodes(before, after, 0);
  const signs = new Map<string, string>();
  for (const { sign, text } of lines) {
    signs.set(text, (signs.get(text) ?? '') + sign);
  }
  return lines.map(({ sign, depth, text }) => {
    const all = signs.get(text) ?? '';
    const isMoved = sign === '!' || (sign !== ' ' && all.includes('+') && all.includes('-'));
    return `${sign} ${'  '.repeat(depth)}${text}${isMoved ? ' (moved)' : ''}`;
  });
}

function compareNodes(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
  depth: number,
): readonly TreeLine[] {
  if (depth > mostDepth) {
    return [];
  }
  const old = byKey(before);
  const current = byKey(after);
  const order = [...current.keys()].filter((key) => old.has(key));
  const kept = inOrder(order, [...old.keys()]);
  const changed = [...current].flatMap(([key, node]) => {
    const was = old.get(key);
    if (was === undefined) {
      return subtree(node, '+', depth);
    }
    const inside = compareNodes(was.children, node.children, depth + 1);
    const sign = kept.has(key) ? ' ' : '!';
    return sign === ' ' && inside.length === 0 ? [] : [lineOf(node, sign, depth), ...inside];
  });
  const gone = [...old]
    .filter(([key]) => !current.has(key))
    .flatMap(([, node]) => subtree(node, '-', depth));
  return [...changed, ...gone];
}

/** Siblings by kind and name; of several with one name, the second is the second on both sides. */
function byKey(nodes: readonly NavigationNode[]): ReadonlyMap<string, NavigationNode> {
  const counts = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const name = `${node.kind} ${node.label}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return [`${count} ${name}`, node] as const;
    }),
  );
}

/** The most keys that stand in the same order on both sides; the others have moved. */
function inOrder(keys: readonly string[], reference: readonly string[]): ReadonlySet<string> {
  const places = new Map(reference.map((key, index) => [key, index]));
  /** Of all chains of one length, the one that ends earliest, as a list from its end. */
  const ends: Chain[] = [];
  for (const key of keys) {
    const place = places.get(key) ?? 0;
    const index = firstAtLeast(ends, place);
    ends[index] = { key, place, before: ends[index - 1] };
  }
  const kept = new Set<string>();
  for (let chain = ends.at(-1); chain !== undefined; chain = chain.before) {
    kept.add(chain.key);
  }
  return kept;
}

interface Chain {
  readonly key: string;
  readonly place: number;
  readonly before: Chain | undefined;
}

function firstAtLeast(ends: readonly Chain[], place: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((ends[middle]?.place ?? 0) < place) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

function subtree(node: NavigationNode, sign: '+' | '-', depth: number): readonly TreeLine[] {
  return depth > mostDepth
    ? []
    : [
        lineOf(node, sign, depth),
        ...node.children.flatMap((child) => subtree(child, sign, depth + 1)),
      ];
}

function lineOf({ label, kind }: NavigationNode, sign: TreeLine['sign'], depth: number): TreeLine {
  const text = oneLine(label, maxLabelLength) || '(no name)';
  return { sign, depth, text: kind === 'group' ? `${text}/` : text };
}
