import type { GitHubDeps } from '../../github/comment-list.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import {
  compareCommits,
  listChangedFiles,
  readPullHead,
} from '../../github/pull-request-changes.ts';
import type { Changed } from './rounds.ts';

/** A pull request as it was before its job went on. */
export interface Before {
  readonly place: MarkerPlace;
  readonly headSha: string;
  readonly openedMs: number | undefined;
  /** The names of its files; `undefined` if they are not known, or too many. */
  readonly files: readonly string[] | undefined;
}

/** What the job made of the pull request. */
export interface Outcome {
  readonly headSha: string;
  /** `undefined` if the commits could not be compared, or have no common line. */
  readonly changed: Changed | undefined;
  /** Whether the commit of before is still part of the branch; `undefined` if that is not known. */
  readonly keepsHistory: boolean | undefined;
  /** The files that the pull request changed before, and does not change any more. */
  readonly reverted: readonly string[];
  /** Why something is not known, a main clause; empty if all is. */
  readonly problem: string;
}

/**
 * Finds out what happened to a pull request while its job went on. People commit to the agent's branch
 * too, so a commit that was its head before has to be a part of it afterwards.
 *
 * @param headNow the pull request's last commit, if it has been read since the job ended
 */
export async function compareWithBefore(
  before: Before,
  headNow: string | undefined,
  deps: GitHubDeps,
): Promise<Outcome> {
  const { place, headSha: old } = before;
  const head =
    headNow === undefined
      ? await readPullHead(place, deps)
      : ({ kind: 'read', value: { headSha: headNow } } as const);
  const unknown = { headSha: '', changed: undefined, keepsHistory: undefined, reverted: [] };
  if (head.kind === 'failed') {
    return { ...unknown, problem: head.problem };
  }
  const { headSha } = head.value;
  if (headSha === old) {
    const changed = { files: 0, additions: 0, deletions: 0 };
    return { headSha, changed, keepsHistory: true, reverted: [], problem: '' };
  }
  const [comparison, reverted] = await Promise.all([
    compareCommits(place.repository, { before: old, after: headSha }, deps),
    findReverted(before, deps),
  ]);
  if (comparison.kind === 'failed') {
    return { ...unknown, headSha, reverted, problem: comparison.problem };
  }
  const { keepsHistory, files, additions, deletions } = comparison.value;
  const changed = keepsHistory ? { files, additions, deletions } : undefined;
  return { headSha, changed, keepsHistory, reverted, problem: '' };
}

/** A pull request lists a file only as long as it differs from the base branch. */
async function findReverted(
  { place, files }: Before,
  deps: GitHubDeps,
): Promise<readonly string[]> {
  if (files === undefined || files.length === 0) {
    return [];
  }
  const after = await listChangedFiles(place, deps);
  return after === undefined ? [] : files.filter((name) => !after.includes(name));
}

/** What to run on the branch of a pull request to have lost commits in it again. */
export function commandFor(oldHeadSha: string): string {
  return `git fetch origin ${oldHeadSha} && git merge FETCH_HEAD && git push`;
}
