import type { Tree, TreeEntry } from '../change.ts';

/** A path that differs between two trees, or a file that moved. */
export interface Difference {
  /** As it is after the change; of a deleted file, as it was. */
  readonly path: string;
  /** Only of a renamed file. */
  readonly previousPath?: string;
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/**
 * The paths that differ, in their order.
 * @param isWhole whether both trees are complete; if not, a path that one of them lacks says nothing
 */
export function differencesOf(before: Tree, after: Tree, isWhole: boolean): readonly Difference[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths]
    .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
    .filter(({ before, after }) => isWhole || (before !== undefined && after !== undefined))
    .filter(({ before, after }) => before?.sha !== after?.sha || before?.kind !== after?.kind)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
