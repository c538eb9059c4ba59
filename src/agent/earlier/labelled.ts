import type { ThreadPlace } from '../../github/comments.ts';
import { adviceOnToken, openPullRequestError, type RepositoryToken } from '../../github/errors.ts';
import { isSameName, threadName } from '../../github/names.ts';
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

import { confirmIntervalMs, type JobDeps, readJob } from '../job/poll.ts';
import {
  latestOf,
  listMarked,
  type MarkDeps,
  type MarkedComment,
  type MarkedPlace,
  otherSource,
  type Source,
} from './pull-request-comment.ts';

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
  /** The pull requests with the label that the run cannot continue, newest first. */
  readonly passedOver: readonly PassedOver[];
}

/** Why a run does not continue in a pull request. */
export type PassedOver = { readonly number: number } & (
  | Exclude<Proof, { readonly kind: 'proven' }>
  /** It was merged or closed in the meantime. */
  | { readonly kind: 'closed' }
);

export interface ProveDeps extends MarkDeps {
  readonly clock: Clock;
  /** As in `GITHUB_SERVER_URL`. */
  readonly serverUrl: string;
  readonly token: RepositoryToken;
  /** What the token needs for all that the run does with the pull request; see `permissionsFor`. */
  readonly permissions: string;
  /** Whether a follow-up is to be sent. To skip a run, our sealed comment is proof enough. */
  readonly isContinued: boolean;
  /** The repository whose pull requests are searched for; `undefined` if it does not matter who asked. */
  readonly source: Source | undefined;
  readonly jobDeps: JobDeps;
}

/** Each costs a request. People label some by hand, but not dozens. */
const maxPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findLabelled(
  repository: string,
  label: string,
  deps: ProveDeps,
): Promise<LabelSearch> {
  const listing = await listLabelled(repository, label, deps);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the open pull requests of ${repository}`, deps);
  }
  const passedOver: PassedOver[] = [];
  for (const { number, url } of listing.value.slice(0, maxPullRequests)) {
    const page = readPullRequestLink(url);
    const otherName = page.kind === 'link' ? page.github?.repository : undefined;
    const proof = await provePullRequest({ repository, number, otherName }, deps);
    if (proof.kind !== 'proven') {
      passedOver.push({ number, ...proof });
      continue;
    }
    const pullRequest = deps.isContinued ? await readHead(proof.found, deps) : proof.found;
    if (pullRequest.isOpen) {
      return { pullRequest, passedOver };
    }
    // The commits of a follow-up would stay on a branch that nobody merges.
    passedOver.push({ number, kind: 'closed' });
  }
  if (listing.value.length > maxPullRequests) {
    throw openPullRequestError(
      `${repository} has ${listing.value.length} open pull requests with the label "${label}", and none of the newest ${maxPullRequests} is known to come from a run of ${deps.source?.name}`,
      'give pr-label a label that nothing else uses',
    );
  }
  const doubt = passedOver.find(({ kind }) => kind === 'unknown');
  if (doubt?.kind === 'unknown') {
    throw doubt.error;
  }
  return { pullRequest: undefined, passedOver };
}

/**
 * Reads where a pull request stands before its job gets a follow-up.
 * @throws ActionError if GitHub does not tell, because then what the follow-up changed could not be said
 */
export async function readHead(
  found: EarlierPullRequest,
  deps: ProveDeps,
): Promise<EarlierPullRequest> {
  const reading = await readPullDetails(found.place, deps);
  if (reading.kind === 'failed') {
    throw unreadable(reading, `pull request ${threadName(found.place)}`, deps);
  }
  const { headSha, isOpen } = reading.value;
  return { ...found, isOpen, headSha };
}

/** What is known of a pull request's job. */
type Proof =
  | { readonly kind: 'proven'; readonly found: EarlierPullRequest }
  | { readonly kind: 'unproven' }
  /** Another repository asked for it, so it is not for this one to continue. */
  | { readonly kind: 'of-another'; readonly source: Source }
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
 * @throws ActionError if GitHub or the API does not tell, or if there are too many
 *   suggestions to ask for all of them
 */
export async function provePullRequest(place: MarkedPlace, deps: ProveDeps): Promise<Proof> {
  const name = threadName(place);
  const listing = await listMarked(place, deps);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the comments on pull request ${name}`, deps);
  }
  const signed = listing.value.filter(({ isSigned }) => isSigned);
  const mark = latestOf(signed);
  const other = deps.source && otherSource(listing.value, deps.source);
  if (other !== undefined) {
    return { kind: 'of-another', source: other };
  }
  if (!deps.isContinued && mark !== undefined) {
    return proven(mark.jobId, place, mark, deps);
  }
  // Others cannot have written a comment with our seal, so those come first.
  const jobIds = [...new Set([...signed, ...listing.value].map(({ jobId }) => jobId))];
  let doubt: Proof = { kind: 'unproven' };
  for (const jobId of jobIds.slice(0, maxJobs)) {
    const ofJob = latestOf(signed.filter((each) => each.jobId === jobId));
    const proof = await askForJob(jobId, ofJob, place, deps);
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

/** Asks the API whether a job opened the pull request. */
async function askForJob(
  jobId: string,
  mark: MarkedComment | undefined,
  place: MarkedPlace,
  deps: ProveDeps,
): Promise<Proof> {
  const name = threadName(place);
  const job = await readSettled(jobId, mark, deps);
  const isYoung = mark !== undefined && deps.clock.todayMs() - mark.atMs < settledAfterMs;
  if (job?.pullRequest.kind === 'link') {
    const link = asSeenFrom(deps.serverUrl, job.pullRequest);
    return (await isOf(link, place, deps))
      ? proven(jobId, place, mark, deps, link)
      : { kind: 'unproven' };
  }
  if (job !== undefined && !isFinal(job.status)) {
    return mark !== undefined
      ? proven(jobId, place, mark, deps)
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

/** @param link from the API; of an active job, the API has none */
function proven(
  jobId: string,
  { repository, number }: ThreadPlace,
  mark: MarkedComment | undefined,
  { clock, serverUrl }: ProveDeps,
  link = linkTo({ repository, number }, serverUrl),
): Proof {
  const place = { repository, number };
  const checkedMs = mark?.atMs ?? clock.todayMs();
  const found = { jobId, link, place, isOpen: true, headSha: undefined, checkedMs };
  return { kind: 'proven', found };
}

/**
 * Whether a link of the API leads to a pull request. The API keeps the name that a repository had, so GitHub
 * is asked what it leads to, if the names differ.
 */
async function isOf({ github }: FoundLink, place: MarkedPlace, deps: ProveDeps): Promise<boolean> {
  const { repository, number, otherName } = place;
  if (github?.number !== String(number)) {
    return false;
  }
  const isHere = (name: string) => [repository, otherName].some((each) => isSameName(name, each));
  if (isHere(github.repository)) {
    return true;
  }
  const linked = { repository: github.repository, number };
  const reading = await readPullDetails(linked, deps);
  if (reading.kind === 'failed' && !reading.isRefusal) {
    throw unreadable(reading, `pull request ${threadName(linked)}`, deps);
  }
  return reading.kind === 'ok' && isHere(reading.value.repository);
}

function unknown(problem: string, advice: string): Proof {
  return { kind: 'unknown', error: openPullRequestError(problem, advice) };
}

function linkTo({ repository, number }: ThreadPlace, serverUrl: string): FoundLink {
  const url = `${serverUrl}/${repository}/pull/${number}`;
  return { kind: 'link', url, github: { repository, number: String(number) } };
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

/** The key is refused for everything then, whatever pull request this is about. */
const keyReasons = ['key-refused', 'forbidden', 'rate-limited'] as const;

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
    const isOfKey = keyReasons.some((reason) => hasReason(error, reason));
    throw error instanceof ActionError && !isOfKey
      ? openPullRequestError(error.what, error.advice)
      : error;
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
