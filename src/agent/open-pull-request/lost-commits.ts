import { listForcePushes } from '../../github/force-pushes.ts';
import { isSameName } from '../../github/names.ts';
import { compareCommits } from '../../github/pull-request-changes.ts';
import type { ComparedCommit, ForcePush } from '../../github/pull-request-schema.ts';
import type { GitHubDeps } from '../../github/reading.ts';
import type { RequestFailure } from '../../github/request.ts';
import { noForcePush } from './rounds.ts';

/** A commit that a branch had, and has no more. */
export interface LostCommit {
  readonly sha: string;
  /** Login of the user who force-pushed over it; empty if that is not known. */
  readonly pusher: string;
}

/** What force-pushes took from a branch. */
export interface ForcePushCheck {
  readonly lost: readonly LostCommit[];
  /** All commits that the branch has no more, as far as they are known. */
  readonly gone: ReadonlySet<string>;
  /** The latest force-push; `noForcePush` for none, `undefined` if that is not known. */
  readonly latest: string | undefined;
  /** Why something is not known. */
  readonly failure?: Failure;
}

type Failure = Pick<RequestFailure, 'problem' | 'isRefusal'>;

/** Each costs a request. */
const mostForcePushes = 10;

/**
 * Finds what the branch of a pull request has lost since an earlier run looked. Only force-pushes lose
 * commits, and GitHub keeps a list of them, so this also finds what was pushed and lost during a run,
 * or while no run was there.
 *
 * @param checked the latest force-push that an earlier run has checked; `undefined` to check none
 */
export async function checkForcePushes(
  { repository, branch, headSha }: Readonly<Record<'repository' | 'branch' | 'headSha', string>>,
  checked: string | undefined,
  deps: GitHubDeps,
): Promise<ForcePushCheck> {
  const listing = await listForcePushes(repository, branch, deps);
  if (listing.kind === 'unread') {
    return { lost: [], gone: new Set(), latest: undefined, failure: listing };
  }
  const pushes = listing.value;
  const latest = pushes[0]?.id ?? noForcePush;
  const news = checked === undefined ? [] : newsIn(pushes, checked);
  const taken: (Taken | Failure)[] = [];
  for (const push of news.slice(0, mostForcePushes)) {
    taken.push(await takenBy(push, repository, headSha, deps));
  }
  const failure =
    news.length > mostForcePushes
      ? { problem: `there were ${news.length} force-pushes`, isRefusal: false }
      : taken.find((each) => 'problem' in each);
  const known = taken.filter((each) => 'gone' in each);
  return {
    lost: known.flatMap(({ lost }) => lost),
    gone: new Set(known.flatMap(({ gone }) => gone)),
    latest,
    ...(failure && { failure }),
  };
}

/** What one force-push took from a branch. */
interface Taken {
  readonly lost: readonly LostCommit[];
  readonly gone: readonly string[];
}

async function takenBy(
  { before, pusher }: ForcePush,
  repository: string,
  headSha: string,
  deps: GitHubDeps,
): Promise<Taken | Failure> {
  const comparison = await compareCommits(repository, { before: headSha, after: before }, deps);
  if (comparison.kind === 'unread') {
    return comparison;
  }
  const { relation, commits, totalCommits } = comparison.value;
  if (relation === 'behind' || relation === 'identical') {
    return { lost: [], gone: [] };
  }
  const isOwnWork = totalCommits <= commits.length && areAllBy(pusher, commits);
  return {
    lost: isOwnWork ? [] : [{ sha: before, pusher }],
    gone: [before, ...commits.map(({ sha }) => sha)],
  };
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

/** The list is in order, but nothing promises that the ids are. */
function newsIn(pushes: readonly ForcePush[], checked: string): readonly ForcePush[] {
  const end = pushes.findIndex(({ id }) => id === checked);
  return end === -1 ? pushes : pushes.slice(0, end);
}

/** To replace one's own commits takes nothing from others; the agent may tidy up its work so. */
function areAllBy(pusher: string, commits: readonly ComparedCommit[]): boolean {
  return (
    pusher !== '' && commits.length > 0 && commits.every(({ author }) => isSameName(author, pusher))
  );
}

/** What to run on the branch of a pull request to have lost commits in it again. */
export function commandFor(sha: string): string {
  return `git fetch origin ${sha} && git merge FETCH_HEAD && git push`;
}
