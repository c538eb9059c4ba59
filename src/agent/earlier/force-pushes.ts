import type { ThreadPlace } from '../../github/comments.ts';
import {
  type Commit,
  type ComparisonPage,
  compareCommits,
  type ForcePush,
  listForcePushes,
} from '../../github/compare.ts';
import { isSameName } from '../../github/names.ts';
import type { GitHubDeps, RequestFailure } from '../../github/request.ts';
import { noForcePush } from './pull-request-comment.ts';

/** A commit that a branch had, and has no more. */
export interface LostCommit {
  readonly sha: string;
  /** Login of the user who force-pushed over it; empty if the account is gone. */
  readonly pusher: string;
}

/** What force-pushes took from a branch. */
export interface ForcePushCheck {
  readonly lost: readonly LostCommit[];
  /** The latest force-push; `noForcePush` for none, `undefined` if that is not known. */
  readonly latest: string | undefined;
  /** Why something is not known. */
  readonly failure?: Failure;
}

type Failure = Pick<RequestFailure, 'problem' | 'isRefusal'>;

/** Each costs a request. */
const maxForcePushes = 10;

/**
 * Finds what the branch of a pull request has lost since an earlier run looked. Only force-pushes lose
 * commits, and GitHub keeps a list of them, so this also finds what was pushed and lost during a run,
 * or while no run was there.
 *
 * @param headSha the last commit of the branch now
 * @param checked the latest force-push that an earlier run has checked; `undefined` to check none
 */
export async function checkForcePushes(
  { repository }: Pick<ThreadPlace, 'repository'>,
  { branch, headSha }: { readonly branch: string; readonly headSha: string },
  checked: string | undefined,
  deps: GitHubDeps,
): Promise<ForcePushCheck> {
  const listing = await listForcePushes(repository, branch, deps);
  if (listing.kind === 'unread') {
    return { lost: [], latest: undefined, failure: listing };
  }
  const pushes = listing.value;
  const latest = pushes[0]?.id ?? noForcePush;
  // The list is in order, but nothing promises that the ids are.
  const end = pushes.findIndex(({ id }) => id === checked);
  const fresh = checked === undefined ? [] : pushes.slice(0, end === -1 ? pushes.length : end);
  const lost: LostCommit[] = [];
  let failure: Failure | undefined =
    fresh.length > maxForcePushes
      ? { problem: `there were ${fresh.length} force-pushes`, isRefusal: false }
      : undefined;
  for (const push of fresh.slice(0, maxForcePushes)) {
    const comparison = await compareCommits(repository, headSha, push.before, deps);
    if (comparison.kind === 'unread') {
      failure ??= comparison;
    } else if (takesFromOthers(push, comparison.value)) {
      lost.push({ sha: push.before, pusher: push.pusher });
    }
  }
  return { lost, latest, ...(failure && { failure }) };
}

/** The latest force-push of a branch; `noForcePush` for none, `undefined` if that is not known. */
export async function latestForcePush(
  repository: string,
  branch: string,
  deps: GitHubDeps,
): Promise<string | undefined> {
  const listing = await listForcePushes(repository, branch, deps);
  return listing.kind === 'unread' ? undefined : (listing.value[0]?.id ?? noForcePush);
}

/** To replace one's own commits takes nothing from others; the agent may tidy up its work so. */
function takesFromOthers(
  { pusher }: ForcePush,
  { relation, commits, totalCommits }: ComparisonPage,
): boolean {
  if (relation === 'behind' || relation === 'identical') {
    return false;
  }
  const areAllKnown = commits.length > 0 && totalCommits <= commits.length;
  return !areAllKnown || pusher === '' || !commits.every((commit) => isBy(pusher, commit));
}

/** In the dashboard's editor, the app is the author of a person's commit, and a trailer names them. */
function isBy(pusher: string, { author, message }: Commit): boolean {
  const others = [...message.matchAll(/^co-authored-by:(.*)$/gim)].filter(
    ([, name = '']) => !name.includes('[bot]'),
  );
  return isSameName(author, pusher) && others.length === 0;
}
