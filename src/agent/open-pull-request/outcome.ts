import type { MarkerPlace } from '../../github/marker.ts';
import {
  compareCommits,
  listChangedFiles,
  readPullHead,
} from '../../github/pull-request-changes.ts';
import type { ComparedCommit, PullHead } from '../../github/pull-request-schema.ts';
import type { GitHubDeps } from '../../github/reading.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Changed } from './rounds.ts';

/** A pull request as it was before its job continued. */
export interface Before {
  readonly place: MarkerPlace;
  readonly headSha: string;
  readonly branch: string;
  readonly openedMs: number | undefined;
  /** The names of its files; `undefined` if they are not known, or too many. */
  readonly files: readonly string[] | undefined;
}

/** What the job made of the pull request. */
export interface Outcome {
  /** Empty if it is not known. */
  readonly headSha: string;
  /** `undefined` if the commits could not be compared, or have no common line. */
  readonly changed: Changed | undefined;
  /** False if it was merged or closed meanwhile. */
  readonly isOpen: boolean;
  /** The new commits, oldest first; `undefined` if they are not known. */
  readonly commits: readonly ComparedCommit[] | undefined;
  /** Whether the last commit of before is still part of the branch; `undefined` if that is not known. */
  readonly keepsHistory: boolean | undefined;
  /** The files that the pull request changed before, and does not change any more. */
  readonly reverted: readonly string[];
  /** Why something is not known. */
  readonly failure?: Pick<RequestFailure, 'problem' | 'isRefusal'>;
}

/**
 * Finds out what happened to a pull request while its job continued. People commit to the agent's branch
 * too, so a commit that was its head before has to be a part of it afterwards.
 *
 * @param now the pull request, if it has been read since the job ended
 */
export async function compareWithBefore(
  before: Before,
  now: Pick<PullHead, 'headSha' | 'isOpen'> | undefined,
  deps: GitHubDeps,
): Promise<Outcome> {
  const { place, headSha: old } = before;
  const head =
    now === undefined ? await readPullHead(place, deps) : ({ kind: 'read', value: now } as const);
  const unknown = {
    headSha: '',
    isOpen: true,
    changed: undefined,
    commits: undefined,
    keepsHistory: undefined,
    reverted: [],
  };
  if (head.kind === 'unread') {
    return { ...unknown, failure: head };
  }
  const { headSha, isOpen } = head.value;
  if (headSha === old) {
    const changed = { files: 0, additions: 0, deletions: 0 };
    return { headSha, isOpen, changed, commits: [], keepsHistory: true, reverted: [] };
  }
  const [comparison, reverted] = await Promise.all([
    compareCommits(place.repository, { before: old, after: headSha }, deps),
    findReverted(before, deps),
  ]);
  if (comparison.kind === 'unread') {
    return { ...unknown, headSha, isOpen, reverted, failure: comparison };
  }
  const { relation, commits, files, additions, deletions } = comparison.value;
  const keepsHistory = relation === 'ahead' || relation === 'identical';
  const changed = keepsHistory ? { files, additions, deletions } : undefined;
  return { headSha, isOpen, changed, commits, keepsHistory, reverted };
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
