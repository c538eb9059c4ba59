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

/** A commit that a branch had, and has no more. */
export interface LostCommit {
  readonly sha: string;
  /** Login of the user who force-pushed over it; empty if the account is gone. */
  readonly pusher: string;
}

/** What force-pushes took from a branch. */
interface ForcePushCheck {
  readonly lost: readonly LostCommit[];
  /** Why something is not known. */
  readonly failure?: Failure;
}

type Failure = Pick<RequestFailure, 'problem' | 'isRefusal'>;

/** Each costs a request. */
const maxForcePushes = 10;

/**
 * Finds what the branch of a pull request has lost since a certain time. Only force-pushes lose commits,
 * and GitHub keeps a list of them, so this also finds what was pushed and lost during a run, or between
 * two runs.
 *
 * @param headSha the last commit of the branch now
 * @param sinceMs milliseconds since 1970
 */
export async function checkForcePushes(
  { repository }: Pick<ThreadPlace, 'repository'>,
  { branch, headSha }: { readonly branch: string; readonly headSha: string },
  sinceMs: number,
  deps: GitHubDeps,
): Promise<ForcePushCheck> {
  const listing = await listForcePushes(repository, branch, deps);
  if (listing.kind === 'failed') {
    return { lost: [], failure: listing };
  }
  const fresh = listing.value.filter(({ pushedMs }) => pushedMs > sinceMs);
  const lost: LostCommit[] = [];
  let failure: Failure | undefined =
    fresh.length > maxForcePushes
      ? { problem: `there were ${fresh.length} force-pushes`, isRefusal: false }
      : undefined;
  for (const push of fresh.slice(0, maxForcePushes)) {
    const comparison = await compareCommits(repository, headSha, push.before, deps);
    if (comparison.kind === 'failed') {
      failure ??= comparison;
    } else if (takesFromOthers(push, comparison.value)) {
      lost.push({ sha: push.before, pusher: push.pusher });
    }
  }
  return { lost, ...(failure && { failure }) };
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
