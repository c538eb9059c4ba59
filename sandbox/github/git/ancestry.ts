type ParentsOf = (sha: string) => readonly string[];

/** A commit and all its ancestors, each before its parents where history is linear. */
export function ancestors(sha: string, parentsOf: ParentsOf): ReadonlySet<string> {
  const seen = new Set([sha]);
  // A set also iterates over what is added meanwhile.
  for (const commit of seen) {
    for (const parent of parentsOf(commit)) {
      seen.add(parent);
    }
  }
  return seen;
}

/** The first common ancestor, breadth first from `other`. */
export function findMergeBase(
  one: string,
  other: string,
  parentsOf: ParentsOf,
): string | undefined {
  const ours = ancestors(one, parentsOf);
  return [...ancestors(other, parentsOf)].find((sha) => ours.has(sha));
}

/** What the history of a path needs to know of a commit. */
export interface HistoryEntry {
  readonly parents: readonly string[];
  readonly committedMs: number;
  /** What is compared; empty where it does not exist. */
  readonly state: string;
}

/**
 * The commits that changed something, newest first. Like `git log` with a path, this follows only a
 * parent with the same state, if a merge has one.
 */
export function simplifiedHistory(
  head: string,
  read: (sha: string) => HistoryEntry,
  most: number,
): readonly string[] {
  const found: string[] = [];
  const queue = new Map([[head, read(head)]]);
  const seen = new Set([head]);
  while (found.length < most && queue.size > 0) {
    const [sha, { parents, state }] = newest(queue);
    queue.delete(sha);
    const same = parents.find((parent) => read(parent).state === state);
    const isRootWithout = parents.length === 0 && state === '';
    found.push(...(same === undefined && !isRootWithout ? [sha] : []));
    const next = same === undefined ? parents : [same];
    for (const parent of next.filter((each) => !seen.has(each))) {
      seen.add(parent);
      queue.set(parent, read(parent));
    }
  }
  return found;
}

function newest(queue: ReadonlyMap<string, HistoryEntry>): [string, HistoryEntry] {
  return [...queue].reduce((best, each) =>
    each[1].committedMs > best[1].committedMs ? each : best,
  );
}
