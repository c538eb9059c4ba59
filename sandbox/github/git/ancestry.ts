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

/**
 * The commits that changed something, newest first. Like `git log` with a path, this follows only a
 * parent with the same state, if a merge has one.
 *
 * @param stateOf what is compared; empty where it does not exist
 */
export function simplifiedHistory(
  head: string,
  stateOf: (sha: string) => string,
  parentsOf: ParentsOf,
  most: number,
): readonly string[] {
  const found: string[] = [];
  const queue = new Set([head]);
  for (const sha of queue) {
    const parents = parentsOf(sha);
    const state = stateOf(sha);
    const same = parents.find((parent) => stateOf(parent) === state);
    if (same === undefined && (parents.length > 0 || state !== '')) {
      found.push(sha);
    }
    if (found.length === most) {
      break;
    }
    for (const parent of same === undefined ? parents : [same]) {
      queue.add(parent);
    }
  }
  return found;
}
