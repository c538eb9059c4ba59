import type { ThreadPlace } from '../../github/comments.ts';
import { openPullRequestError } from '../../github/errors.ts';
import { isSameName } from '../../github/names.ts';
import { listLabelled, readPullDetails } from '../../github/pull-request.ts';
import type { RequestFailure } from '../../github/request.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import {
  asSeenFrom,
  type FoundLink,
  readPullRequestLink,
} from '../../platform/pull-request-link.ts';
import type { Clock } from '../../runner/clock.ts';
import { ActionError, hasReason } from '../../text/error.ts';
import { adviceOnToken, type RepositoryToken } from '../inputs.ts';
import { confirmIntervalMs, type JobDeps, readJob } from '../job/poll.ts';
import { latestOf, listMarked, type MarkDeps, type MarkedComment } from './pull-request-comment.ts';

/** A pull request, and the job that provably opened it. */
export interface EarlierPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly place: ThreadPlace;
  readonly isOpen: boolean;
  /** Its last commit before the follow-up; `undefined` if none is sent. */
  readonly headSha: string | undefined;
  /** Force-pushes since then have to be checked: the end of the last run, or now. Milliseconds since 1970. */
  readonly checkedMs: number;
}

/** What a search among the labelled pull requests found. */
export interface LabelSearch {
  readonly pullRequest: EarlierPullRequest | undefined;
  /** The open pull requests with the label that are not provably a job's, newest first. */
  readonly passedOver: readonly number[];
  /** Those that were merged or closed in the meantime. */
  readonly closedMeanwhile: readonly number[];
  /** Those of jobs that the API does not know any more. */
  readonly gone: readonly { readonly number: number; readonly jobId: string }[];
}

export interface ProveDeps extends MarkDeps {
  readonly clock: Clock;
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly token: RepositoryToken;
  /** What the token needs for all that the run does with the pull request; see `permissionsFor`. */
  readonly permissions: string;
  readonly jobDeps: JobDeps;
}

/** Each costs a request. People label some by hand, but not dozens. */
const maxPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @param isContinued whether a follow-up is to be sent; to skip a run, our sealed comment is proof enough
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findLabelled(
  repository: string,
  label: string,
  isContinued: boolean,
  deps: ProveDeps,
): Promise<LabelSearch> {
  const listing = await listLabelled(repository, label, deps);
  if (listing.kind === 'unread') {
    throw unreadable(listing, `the open pull requests of ${repository}`, deps);
  }
  const passedOver: number[] = [];
  const closedMeanwhile: number[] = [];
  const gone: { number: number; jobId: string }[] = [];
  let doubt: ActionError | undefined;
  for (const { number, url } of listing.value.slice(0, maxPullRequests)) {
    const place = { repository, number };
    const proof = await provePullRequest(place, url, isContinued, deps);
    switch (proof.kind) {
      case 'proven': {
        const pullRequest = isContinued ? await readHead(proof.found, deps) : proof.found;
        if (pullRequest.isOpen) {
          return { pullRequest, passedOver, closedMeanwhile, gone };
        }
        // The commits of a follow-up would stay on a branch that nobody merges.
        closedMeanwhile.push(number);
        break;
      }
      case 'gone':
        gone.push({ number, jobId: proof.jobId });
        break;
      case 'unknown':
        doubt ??= proof.error;
        passedOver.push(number);
        break;
      case 'unproven':
        passedOver.push(number);
    }
  }
  if (listing.value.length > maxPullRequests) {
    throw openPullRequestError(
      `${repository} has ${listing.value.length} open pull requests with the label "${label}", and none of the newest ${maxPullRequests} is known to be a job's`,
      'give pr-label a label that only the docs agent uses',
    );
  }
  if (doubt !== undefined) {
    throw doubt;
  }
  return { pullRequest: undefined, passedOver, closedMeanwhile, gone };
}

/**
 * Reads where a pull request stands before its job gets a follow-up.
 * @throws ActionError if GitHub does not tell, because then what the follow-up changed could not be said
 */
export async function readHead(
  found: EarlierPullRequest,
  deps: ProveDeps,
): Promise<EarlierPullRequest> {
  const { repository, number } = found.place;
  const reading = await readPullDetails(found.place, deps);
  if (reading.kind === 'unread') {
    throw unreadable(reading, `pull request ${repository}#${number}`, deps);
  }
  const { headSha, isOpen } = reading.value;
  return { ...found, isOpen, headSha };
}

/** What is known of a pull request's job. */
type Proof =
  | { readonly kind: 'proven'; readonly found: EarlierPullRequest }
  | { readonly kind: 'unproven' }
  /** Our sealed comment names a job that the API does not know any more. */
  | { readonly kind: 'gone'; readonly jobId: string }
  /** A job may have opened it, and the API does not say so yet, or not any more. */
  | { readonly kind: 'unknown'; readonly error: ActionError };

/** Each costs requests to the API, three if it knows no such job. */
const maxJobs = 20;

/** How long the API may take to show a job, or the link of one that has ended. */
const settledAfterMs = 10 * 60_000;

/**
 * Finds the job that opened a pull request. The comments only suggest one: anybody can write such a
 * comment. It counts if the API says that the job has this very pull request. Of an active job, the API
 * links none; then it counts if this API key sealed the comment, when the job had ended before.
 *
 * @param url of its page; after a rename it has another repository's name than the request
 * @param isContinued see `findLabelled`
 * @throws ActionError if GitHub or the API does not tell, or if there are too many
 *   suggestions to ask for all of them
 */
export async function provePullRequest(
  place: ThreadPlace,
  url: string,
  isContinued: boolean,
  deps: ProveDeps,
): Promise<Proof> {
  const { repository, number } = place;
  const name = `${repository}#${number}`;
  const listing = await listMarked(place, deps);
  if (listing.kind === 'unread') {
    throw unreadable(listing, `the comments on pull request ${name}`, deps);
  }
  const signed = listing.value.filter(({ isSigned }) => isSigned);
  const mark = latestOf(signed);
  const here = onServer(`${deps.serverUrl}/${repository}/pull/${number}`, deps);
  if (!isContinued && mark !== undefined && here !== undefined) {
    return proven(mark.jobId, here, place, mark, deps);
  }
  // Others cannot have written a comment with our seal, so those come first.
  const jobIds = [...new Set([...signed, ...listing.value].map(({ jobId }) => jobId))];
  const candidate = {
    place,
    name,
    here,
    names: [repository, onServer(url, deps)?.github?.repository],
  };
  let doubt: Proof = { kind: 'unproven' };
  for (const jobId of jobIds.slice(0, maxJobs)) {
    const ofJob = latestOf(signed.filter((each) => each.jobId === jobId));
    const proof = await askForJob(jobId, ofJob, candidate, deps);
    if (proof.kind === 'proven') {
      return proof;
    }
    doubt = doubt.kind === 'unproven' ? proof : doubt;
  }
  if (jobIds.length > maxJobs) {
    throw openPullRequestError(
      `the comments on pull request ${name} name ${jobIds.length} jobs, and none of the ${maxJobs} likeliest has opened it`,
      "delete the comments on it that are not the docs agent's, or take its label off",
    );
  }
  return doubt;
}

interface Candidate {
  readonly place: ThreadPlace;
  readonly name: string;
  /** The link to the pull request; `undefined` if the server has no address. */
  readonly here: FoundLink | undefined;
  /** The names of its repository, which may have been renamed. */
  readonly names: readonly (string | undefined)[];
}

/** Asks the API whether a job opened the pull request. */
async function askForJob(
  jobId: string,
  mark: MarkedComment | undefined,
  candidate: Candidate,
  deps: ProveDeps,
): Promise<Proof> {
  const { place, name, here } = candidate;
  const job = await readSettled(jobId, mark, deps);
  const isYoung = mark !== undefined && deps.clock.todayMs() - mark.atMs < settledAfterMs;
  if (job?.pullRequest.kind === 'link') {
    const link = asSeenFrom(deps.serverUrl, job.pullRequest);
    return isOf(link, candidate) ? proven(jobId, link, place, mark, deps) : { kind: 'unproven' };
  }
  if (job !== undefined && !isFinal(job.status)) {
    return mark !== undefined && here !== undefined
      ? proven(jobId, here, place, mark, deps)
      : unknown(
          `job ${jobId}, which a comment on pull request ${name} names, is still active, and Mintlify does not say which pull request it works on`,
          'run the workflow again when that job has ended',
        );
  }
  if (isYoung) {
    return unknown(
      `job ${jobId} has opened pull request ${name} a moment ago, and Mintlify does not say so yet`,
      'run the workflow again in ten minutes',
    );
  }
  return mark !== undefined && job === undefined ? { kind: 'gone', jobId } : { kind: 'unproven' };
}

function proven(
  jobId: string,
  link: FoundLink,
  place: ThreadPlace,
  mark: MarkedComment | undefined,
  { clock }: ProveDeps,
): Proof {
  const checkedMs = mark?.atMs ?? clock.todayMs();
  const found = { jobId, link, place, isOpen: true, headSha: undefined, checkedMs };
  return { kind: 'proven', found };
}

function isOf({ github }: FoundLink, { place, names }: Candidate): boolean {
  return (
    github?.number === String(place.number) &&
    names.some((name) => isSameName(github.repository, name))
  );
}

function unknown(problem: string, advice: string): Proof {
  return { kind: 'unknown', error: openPullRequestError(problem, advice) };
}

function onServer(url: string, { serverUrl }: ProveDeps): FoundLink | undefined {
  const link = readPullRequestLink(url);
  return link.kind === 'link' ? asSeenFrom(serverUrl, link) : undefined;
}

/** The link of a job that has ended can be missing for a moment. */
const maxConfirmations = 2;

/** Reads a job; `undefined` if the project has no such job. One that our comment names has a link. */
async function readSettled(
  jobId: string,
  mark: MarkedComment | undefined,
  deps: ProveDeps,
): Promise<Job | undefined> {
  for (let confirmations = 0; ; confirmations += 1) {
    const job = await readKnown(jobId, deps);
    const isMissing = job?.pullRequest.kind === 'none' && isFinal(job.status);
    if (mark === undefined || !isMissing || confirmations === maxConfirmations) {
      return job;
    }
    await deps.clock.sleep(confirmIntervalMs, deps.signal);
  }
}

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const readLimitMs = 60_000;

async function readKnown(id: string, { clock, jobDeps }: ProveDeps): Promise<Job | undefined> {
  const sinceMs = clock.nowMs();
  try {
    // A run of this workflow started it, so that a single 404 does not count.
    const started = { source: 'resumed', id, sentMs: -Infinity, sinceMs } as const;
    return await readJob(started, { ...jobDeps, deadlineMs: sinceMs + readLimitMs });
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
function unreadable(
  failure: RequestFailure,
  what: string,
  { token, permissions }: ProveDeps,
): ActionError {
  return openPullRequestError(
    `${what} could not be read, because ${failure.problem}`,
    failure.isRefusal ? adviceOnToken(failure, permissions, token) : 'run the workflow again later',
  );
}
