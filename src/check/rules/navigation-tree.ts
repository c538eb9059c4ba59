import type { NavigationNode } from '../docs/site.ts';

/** An entry of the navigation that changed, or a group with changes inside. */
export interface TreeChange {
  /** `+` new, `-` gone, `!` in another place among its neighbours, a space for one that is where it was. */
  readonly sign: '+' | '-' | '!' | ' ';
  readonly depth: number;
  readonly node: NavigationNode;
  /** Whether the group around it is new or gone as well. */
  readonly isInside: boolean;
  /** Keys of the group's settings that differ. */
  readonly settings: readonly string[];
}

/** Deeper navigation is not compared, so that a crafted one cannot exhaust the stack. */
const mostDepth = 20;

/** The changes of the navigation in the order of the tree, what is gone after its neighbours. */
export function compareNavigation(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
): readonly TreeChange[] {
  return compareNodes(before, after, 0);
}

function compareNodes(
  before: readonly NavigationNode[],
  after: readonly NavigationNode[],
  depth: number,
): readonly TreeChange[] {
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
      return subtree(node, '+', depth, false);
    }
    const inside = compareNodes(was.children, node.children, depth + 1);
    const sign = kept.has(key) ? (' ' as const) : ('!' as const);
    const settings = changedKeys(was.settings ?? {}, node.settings ?? {});
    return sign === ' ' && inside.length === 0 && settings.length === 0
      ? []
      : [{ sign, depth, node, isInside: false, settings }, ...inside];
  });
  const gone = [...old]
    .filter(([key]) => !current.has(key))
    .flatMap(([, node]) => subtree(node, '-', depth, false));
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

function subtree(
  node: NavigationNode,
  sign: '+' | '-',
  depth: number,
  isInside: boolean,
): readonly TreeChange[] {
  return depth > mostDepth
    ? []
    : [
        { sign, depth, node, isInside, settings: [] },
        ...node.children.flatMap((child) => subtree(child, sign, depth + 1, true)),
      ];
}

type Settings = NonNullable<NavigationNode['settings']>;

function changedKeys(before: Settings, after: Settings): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]);
}
