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
