import { ownAmong } from '../../github/comment-search.ts';
import { openPullRequestError } from '../../github/errors.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { isSameName } from '../../github/names.ts';
import type { RequestFailure } from '../../github/request.ts';
import type { Job } from '../../platform/job.ts';
import {
  asSeenFrom,
  type FoundLink,
  readPullRequestLink,
} from '../../platform/pull-request-link.ts';
import { ActionError, hasReason } from '../../text/error.ts';
import { latestOf, listMarked, type MarkedComment, type MarkedDeps } from './marked-comments.ts';
import { checkedBy } from './rounds.ts';

export interface ProveDeps extends MarkedDeps {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** The input that has the token, for advice. */
  readonly tokenInput: string;
  /** @throws ActionError */
  readonly readJob: (jobId: string) => Promise<Job>;
}

/** A pull request, and the job that provably opened it. */
export interface ProvenPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly place: MarkerPlace;
  /** See `checkedBy`; `undefined` without a mark that this API key signed. */
  readonly checkedForcePush: string | undefined;
}

/** What is known of a pull request's job; `undefined` if none is known to have opened it. */
export type Proof =
  | { readonly kind: 'proven'; readonly found: ProvenPullRequest }
  /** A job that may have opened it is active, and the API does not link the pull request of such a job. */
  | { readonly kind: 'unknown'; readonly error: ActionError }
  | undefined;

/** Each costs requests to the API, three if it knows no such job. */
const mostJobs = 20;

/**
 * Finds the job that opened a pull request. The comments only suggest one: anybody can write such a
 * comment. It counts if the API says that the job has this very pull request. Of an active job, the API
 * links none; then it counts if this API key signed the comment, when the job had ended before.
 *
 * @param url of its page; after a rename it has another repository's name than the request
 * @throws ActionError if GitHub or the API does not tell, or if there are too many
 *   suggestions to ask for all of them
 */
export async function provePullRequest(
  place: MarkerPlace,
  url: string,
  deps: ProveDeps,
): Promise<Proof> {
  const { repository, threadNumber } = place;
  const name = `${repository}#${threadNumber}`;
  const listing = await listMarked(place, deps);
  if (listing.kind === 'unread') {
    throw unreadable(listing, `the comments on pull request ${name}`, repository, deps);
  }
  const comments = listing.value;
  const renamed = onServer(url, deps.serverUrl)?.github?.repository;
  const asked = new Set<string>();
  const active: string[] = [];
  const askFor = async (jobIds: readonly string[]): Promise<ProvenPullRequest | undefined> => {
    for (const jobId of jobIds.filter((id) => !asked.has(id)).slice(0, mostJobs - asked.size)) {
      asked.add(jobId);
      const signed = latestOf(comments.filter((mark) => mark.isSigned && mark.jobId === jobId));
      const job = await readKnown(jobId, deps);
      const link = linkOf(job, signed === undefined ? undefined : place, deps);
      if (link !== undefined && isOf(link, place, renamed)) {
        return { jobId, link, place, checkedForcePush: checkedBy(signed) };
      }
      if (isUnlinked(job)) {
        active.push(jobId);
      }
    }
    return undefined;
  };
  const jobIds = idsIn(comments);
  // Others cannot have written a comment with our signature, but a changed API key signed none.
  const found =
    (await askFor(idsIn(comments.filter(({ isSigned }) => isSigned)))) ??
    (jobIds.length > mostJobs ? await askFor(idsIn(await ownAmong(comments, deps))) : undefined) ??
    (await askFor(jobIds));
  if (found === undefined && jobIds.length > asked.size) {
    throw openPullRequestError(
      `the comments on pull request ${name} name ${jobIds.length} jobs, and none of the ${mostJobs} likeliest has opened it`,
      "delete the comments on it that are not the docs agent's, or take its label off",
    );
  }
  if (found !== undefined) {
    return { kind: 'proven', found };
  }
  const [working] = active;
  if (working === undefined) {
    return undefined;
  }
  const error = openPullRequestError(
    `job ${working}, which a comment on pull request ${name} names, is still active, and Mintlify does not say which pull request it works on`,
    'run the workflow again when that job has ended',
  );
  return { kind: 'unknown', error };
}

function idsIn(comments: readonly MarkedComment[] = []): readonly string[] {
  return [...new Set(comments.map(({ jobId }) => jobId))];
}

function onServer(url: string, serverUrl: string): FoundLink | undefined {
  const link = readPullRequestLink(url);
  return link.kind === 'link' ? asSeenFrom(serverUrl, link) : undefined;
}

/**
 * The link to a job's pull request; `undefined` if it has none.
 * @param before the pull request that the job had when it ended before; `undefined` if that is not known
 */
function linkOf(
  job: Job | undefined,
  before: MarkerPlace | undefined,
  { serverUrl }: ProveDeps,
): FoundLink | undefined {
  if (job?.pullRequest.kind === 'link') {
    return asSeenFrom(serverUrl, job.pullRequest);
  }
  return before !== undefined && isUnlinked(job)
    ? onServer(`${serverUrl}/${before.repository}/pull/${before.threadNumber}`, serverUrl)
    : undefined;
}

/** Whether a job can have a pull request that the API does not link yet, or again. */
function isUnlinked(job: Job | undefined): boolean {
  return job?.status === 'active' && job.pullRequest.kind === 'none';
}

/** Whether a link leads to a pull request; `renamed` is another name of its repository. */
function isOf(
  { github }: FoundLink,
  { repository, threadNumber }: MarkerPlace,
  renamed: string | undefined,
): boolean {
  return (
    github?.number === String(threadNumber) &&
    (isSameName(github.repository, repository) || isSameName(github.repository, renamed))
  );
}

/** Reads a job; `undefined` if the project has no such job. */
async function readKnown(jobId: string, deps: ProveDeps): Promise<Job | undefined> {
  try {
    return await deps.readJob(jobId);
  } catch (error) {
    if (hasReason(error, 'job-not-found')) {
      return undefined;
    }
    if (error instanceof ActionError) {
      throw openPullRequestError(error.what, error.advice);
    }
    throw error;
  }
}

/** The error when GitHub does not tell what this step has to know before it starts anything. */
export function unreadable(
  { problem, isRefusal, status }: RequestFailure,
  what: string,
  repository: string,
  { tokenInput }: Pick<ProveDeps, 'tokenInput'>,
): ActionError {
  const permissions =
    status === 401
      ? `check that ${tokenInput} is complete and has not expired`
      : `give ${tokenInput} the permissions "issues: read" and "pull-requests: read" on ${repository}, and check that this repository exists`;
  return openPullRequestError(
    `${what} could not be read, because ${problem}`,
    isRefusal ? permissions : 'run the workflow again later',
  );
}
