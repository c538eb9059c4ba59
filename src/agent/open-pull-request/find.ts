import { type GitHubDeps, listComments } from '../../github/comment-list.ts';
import { PullRequestUnreadableError } from '../../github/errors.ts';
import { listLabelled } from '../../github/labels.ts';
import type { MarkerPlace } from '../../github/marker.ts';
import { failureOf, type RequestFailure } from '../../github/request.ts';
import { JobNotFoundError, PlatformError } from '../../platform/errors.ts';
import type { Job } from '../../platform/job.ts';
import {
  asSeenFrom,
  type FoundLink,
  readPullRequestLink,
} from '../../platform/pull-request-link.ts';
import { readMark } from './rounds.ts';

export interface FindDeps extends GitHubDeps {
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  /** The input that has the token, for advice. */
  readonly tokenInput: string;
  /** @throws PlatformError */
  readonly readJob: (jobId: string) => Promise<Job>;
}

/** A pull request, and the job that provably opened it. */
export interface ProvenPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly place: MarkerPlace;
}

/** What a search among the labelled pull requests found. */
export interface Search {
  readonly found: ProvenPullRequest | undefined;
  /** The open pull requests with the label that are not provably a job's, newest first. */
  readonly passedOver: readonly number[];
}

/** Each costs a request. People label some by hand, but not dozens. */
const mostPullRequests = 20;

/** Each costs requests to the API, three if it knows no such job. Ours is among the first comments. */
const mostJobs = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @throws PullRequestUnreadableError if GitHub or the API does not tell
 */
export async function findLabelled(
  repository: string,
  label: string,
  deps: FindDeps,
): Promise<Search> {
  const listing = await listLabelled(repository, label, deps);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the open pull requests of ${repository}`, repository, deps);
  }
  const passedOver: number[] = [];
  for (const { number, url } of listing.pulls.slice(0, mostPullRequests)) {
    const place = { repository, threadNumber: number };
    const found = await provePullRequest(place, url, deps);
    if (found !== undefined) {
      return { found, passedOver };
    }
    passedOver.push(number);
  }
  const rest = listing.pulls.slice(mostPullRequests).map(({ number }) => number);
  return { found: undefined, passedOver: [...passedOver, ...rest] };
}

/**
 * Finds the job that opened a pull request. The comments only suggest one: anybody can write such a
 * comment. It counts if the API says that the job has this very pull request.
 *
 * @param url of its page; after a rename it has another repository's name than the request
 * @throws PullRequestUnreadableError if GitHub or the API does not tell
 */
export async function provePullRequest(
  place: MarkerPlace,
  url: string,
  deps: FindDeps,
): Promise<ProvenPullRequest | undefined> {
  const { repository, threadNumber } = place;
  const listing = await listComments(place, deps);
  if (listing.kind === 'failed') {
    const what = `the comments on pull request ${repository}#${threadNumber}`;
    throw unreadable(await failureOf(listing.response), what, repository, deps);
  }
  const marks = listing.comments.flatMap(({ body }) => readMark(body)?.jobId ?? []);
  const renamed = onServer(url, deps.serverUrl)?.github?.repository;
  const names = [repository, renamed].map((name) => name?.toLowerCase());
  for (const jobId of [...new Set(marks)].slice(0, mostJobs)) {
    const job = await readJob(jobId, deps);
    const link =
      job?.pullRequest.kind === 'link' ? asSeenFrom(deps.serverUrl, job.pullRequest) : undefined;
    const isThis =
      link?.github?.number === String(threadNumber) &&
      names.includes(link.github.repository.toLowerCase());
    if (isThis) {
      return { jobId, link, place };
    }
  }
  return undefined;
}

function onServer(url: string, serverUrl: string): FoundLink | undefined {
  const link = readPullRequestLink(url);
  return link.kind === 'link' ? asSeenFrom(serverUrl, link) : undefined;
}

/** `undefined` if the project has no such job. */
async function readJob(jobId: string, deps: FindDeps): Promise<Job | undefined> {
  try {
    return await deps.readJob(jobId);
  } catch (error) {
    if (error instanceof JobNotFoundError) {
      return undefined;
    }
    if (error instanceof PlatformError) {
      throw new PullRequestUnreadableError(error.what, error.advice);
    }
    throw error;
  }
}

/** The error when GitHub does not tell what this step has to know before it starts anything. */
export function unreadable(
  { problem, isRefusal, status }: RequestFailure,
  what: string,
  repository: string,
  { tokenInput }: Pick<FindDeps, 'tokenInput'>,
): PullRequestUnreadableError {
  const permissions =
    status === 401
      ? `check that ${tokenInput} is complete and has not expired`
      : `give ${tokenInput} the permissions "issues: read" and "pull-requests: read" on ${repository}, and check that this repository exists`;
  return new PullRequestUnreadableError(
    `${what} could not be read, because ${problem}`,
    isRefusal ? permissions : 'run the workflow again later',
  );
}
