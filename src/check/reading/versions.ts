import type { RepositoryDeps } from '../../github/reading.ts';
import type { Tree } from '../change.ts';
import type { PullRequestFacts } from '../github/pull-request-facts.ts';
import { type ListedTree, readMergeBase, readTree } from '../github/tree.ts';
import type { GapList } from './gap-list.ts';
import { type RequiredPlace, required } from './required.ts';

/** The files before and after the change. */
export interface Trees {
  /** The commit that the change started from. */
  readonly mergeBaseSha: string;
  readonly before: Tree;
  readonly after: Tree;
  /** Whether GitHub listed all files of both. */
  readonly isWhole: boolean;
}

/**
 * Lists all files of the merge base and of the head.
 * @throws ActionError, or the signal's reason if the run is cancelled
 */
export async function readTrees(
  { headSha, baseSha }: PullRequestFacts,
  place: RequiredPlace,
  gaps: GapList,
  deps: RepositoryDeps,
): Promise<Trees> {
  const readRequiredTree = async (commit: string): Promise<ListedTree> =>
    required(await readTree(commit, deps), 'the list of its files', 'contents: read', place);
  const readBefore = async () => {
    const reading = await readMergeBase(baseSha, headSha, deps);
    const sha = required(reading, 'the commit that it started from', 'contents: read', place);
    return { sha, tree: await readRequiredTree(sha) };
  };
  const [before, after] = await Promise.all([readBefore(), readRequiredTree(headSha)]);
  const isWhole = !before.tree.isTruncated && !after.isTruncated;
  if (!isWhole) {
    gaps.add('', 'the repository has too many files, so those that are new or gone are not known');
  }
  return {
    mergeBaseSha: before.sha,
    before: before.tree.entries,
    after: after.entries,
    isWhole,
  };
}
