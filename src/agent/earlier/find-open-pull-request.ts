import type { ThreadPlace } from '../../github/comments.ts';
import {
  adviceOnFailure,
  openPullRequestError,
  type RepositoryToken,
} from '../../github/errors.ts';
import { isSameName, threadName } from '../../github/names.ts';
import { listLabelled, readPullDetails } from '../../github/pull-request.ts';
import type { RequestFailure } from '../../github/request.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import {
  asSeenFrom,
  type FoundLink,
  readPullRequestLink,
} from '../../platform/pull-request-link.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError, hasReason } from '../../text/error.ts';
import type { AgentDeps } from '../deps.ts';
import { permissionsFor, tokenFor } from '../inputs.ts';
import { type JobDeps, readJob } from '../job/poll.ts';
import { docsRepositoryOf, type Request } from '../request.ts';
import {
  latestOf,
  listRecorded,
  type PullRequestDeps,
  type PullRequestPlace,
  type RecordedComment,
  type Source,
  sourceOf,
  whoAsked,
} from './pull-request-record.ts';

/** A pull request, and the job that provably opened it. */
export interface EarlierPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly place: ThreadPlace;
  readonly isOpen: boolean;
  /** Its last commit before the follow-up; `undefined` if none is sent. */
  readonly headSha: string | undefined;
}

/** What a search among the labelled pull requests found. */
export interface LabelSearch {
  readonly pullRequest: EarlierPullRequest | undefined;
  /** The pull requests with the label that the run cannot continue, newest first. */
  readonly passedOver: readonly PassedOver[];
}

export const nothingFound: LabelSearch = { pullRequest: undefined, passedOver: [] };

/** Why a run does not continue in a pull request. */
export type PassedOver = { readonly number: number } & (
  | Exclude<Proof, { readonly kind: 'proven' }>
  /** It was merged or closed in the meantime. */
  | { readonly kind: 'closed' }
);

/** What reading what earlier runs left needs. */
export interface EarlierDeps extends AgentDeps {
  readonly jobDeps: JobDeps;
}

/** What it takes to find a pull request in a repository, and to prove which job opened it. */
export interface SearchDeps {
  readonly request: Request;
  readonly requests: PullRequestDeps;
  readonly token: RepositoryToken;
  readonly runner: Runner;
  readonly jobDeps: JobDeps;
}

/** @throws ActionError if there is no token */
export function searchIn(
  repository: string,
  request: Request,
  { runner, github, jobDeps }: EarlierDeps,
): SearchDeps {
  const { clock, signal, environment } = runner;
  const { label, api } = request.inputs;
  const token = tokenFor(repository, request.access.inputs, environment);
  if (token.value === '') {
    throw openPullRequestError(
      `input ${token.input} is empty`,
      `leave it out, or give a token that has ${permissionsFor(label)} on ${repository}`,
    );
  }
  const session = github.as(token.value);
  const requests = { session, clock, signal, apiKey: api.apiKey };
  return { request, requests, token, runner, jobDeps };
}

/** Whether a follow-up is to be sent. To skip a run, our signed comment is proof enough. */
function isContinued({ job, onOpenPullRequest }: Request['inputs']): boolean {
  return job.kind === 'of-pull-request' || onOpenPullRequest === 'continue';
}

/** Each costs a request. People label some by hand, but not dozens. */
const maxPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findOpenPullRequest(
  request: Request,
  deps: EarlierDeps,
): Promise<LabelSearch> {
  const { inputs } = request;
  const { label } = inputs;
  const repository = docsRepositoryOf(request);
  const search = searchIn(repository, request, deps);
  const listing = await listLabelled(repository, label, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the open pull requests of ${repository}`, search);
  }
  const passedOver: PassedOver[] = [];
  for (const { number, url } of listing.value.slice(0, maxPullRequests)) {
    const page = readPullRequestLink(url);
    const otherName = page.kind === 'link' ? page.github?.repository : undefined;
    const proof = await provePullRequest({ repository, number, otherName }, search);
    if (proof.kind !== 'proven') {
      passedOver.push({ number, ...proof });
      continue;
    }
    const pullRequest = isContinued(inputs) ? await readHead(proof.found, search) : proof.found;
    if (pullRequest.isOpen) {
      return { pullRequest, passedOver };
    }
    // The commits of a follow-up would stay on a branch that nobody merges.
    passedOver.push({ number, kind: 'closed' });
  }
  if (listing.value.length > maxPullRequests) {
    throw openPullRequestError(
      `${repository} has ${listing.value.length} open pull requests with the label "${label}", and none of the newest ${maxPullRequests} is known to come from a run of ${request.repository}`,
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
  search: SearchDeps,
): Promise<EarlierPullRequest> {
  const reading = await readPullDetails(found.place, search.requests);
  if (reading.kind === 'failed') {
    throw unreadable(reading, `pull request ${threadName(found.place)}`, search);
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
  /** Our signed comment names a job that the API does not know any more. */
  | { readonly kind: 'gone'; readonly jobId: string }
  /** A job may have opened it, and nobody says so yet, or not any more. */
  | { readonly kind: 'unknown'; readonly error: ActionError };

/** Each costs requests to the API, three if it knows no such job. */
const maxJobs = 20;

/**
 * Finds the job that opened a pull request. There are two proofs: a comment that this API key signed, unless
 * the API denies it, and a comment that anybody may have written, if the API says that the job which it names
 * has this very pull request.
 *
 * @throws ActionError if GitHub or the API does not tell, or if there are too many
 *   suggestions to ask for all of them
 */
export async function provePullRequest(
  place: PullRequestPlace,
  search: SearchDeps,
): Promise<Proof> {
  const { request } = search;
  const name = threadName(place);
  const listing = await listRecorded(place, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the comments on pull request ${name}`, search);
  }
  const comments = listing.value;
  const ofAnother = checkSource(comments, place, search);
  if (ofAnother !== undefined) {
    return ofAnother;
  }
  const signed = comments.filter(({ isSigned }) => isSigned);
  const latest = latestOf(signed);
  if (!isContinued(request.inputs) && latest !== undefined) {
    return proven(latest.jobId, place, search);
  }
  // Others cannot have written a comment with our seal, so those come first.
  const jobIds = [...new Set([...signed, ...comments].map(({ jobId }) => jobId))];
  let doubt: Proof = { kind: 'unproven' };
  for (const jobId of jobIds.slice(0, maxJobs)) {
    const isSigned = signed.some((each) => each.jobId === jobId);
    const proof = await askForJob(jobId, isSigned, place, search);
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

/** Why a pull request is not this repository's; `undefined` if it may be. */
function checkSource(
  comments: readonly RecordedComment[],
  place: ThreadPlace,
  { request, runner: { environment } }: SearchDeps,
): Proof | undefined {
  // Whoever comments on a pull request may ask for changes, whichever repository asked for it first.
  if (request.inputs.job.kind !== 'new') {
    return undefined;
  }
  const askedBy = whoAsked(comments, sourceOf(environment));
  switch (askedBy.kind) {
    case 'ours':
      return undefined;
    case 'another':
      return { kind: 'of-another', source: askedBy.source };
    case 'contradiction': {
      // One may be a forgery, or two repositories use two keys for the same project.
      const { url } = linkTo(place, environment.serverUrl);
      const claims = askedBy.comments.map(
        ({ id, source }) => `${url}#issuecomment-${id} says that ${source?.name} asked for it`,
      );
      return unknown(
        `the comments on pull request ${threadName(place)} contradict each other, and this API key signed none of them (${claims.join(', ')})`,
        "delete the comment that is not the docs agent's",
      );
    }
  }
}

/**
 * Asks the API whether a job opened the pull request.
 * @param isSigned whether our own comment names the job
 */
async function askForJob(
  jobId: string,
  isSigned: boolean,
  place: PullRequestPlace,
  search: SearchDeps,
): Promise<Proof> {
  const job = await readKnown(jobId, search);
  if (job?.pullRequest.kind === 'link') {
    const link = asSeenFrom(search.runner.environment.serverUrl, job.pullRequest);
    return (await isOf(link, place, search))
      ? proven(jobId, place, search, link)
      : { kind: 'unproven' };
  }
  if (isSigned) {
    // Of a job that is active, or has just ended, the API may link no pull request.
    return job === undefined ? { kind: 'gone', jobId } : proven(jobId, place, search);
  }
  return job === undefined || isFinal(job.status)
    ? { kind: 'unproven' }
    : unknown(
        `job ${jobId}, which a comment on pull request ${threadName(place)} names, is still active, and Mintlify does not say which pull request it works on`,
        'run the workflow again when that job has ended',
      );
}

/** @param link from the API; of an active job, the API has none */
function proven(
  jobId: string,
  { repository, number }: ThreadPlace,
  { runner }: SearchDeps,
  link = linkTo({ repository, number }, runner.environment.serverUrl),
): Proof {
  const place = { repository, number };
  return { kind: 'proven', found: { jobId, link, place, isOpen: true, headSha: undefined } };
}

/**
 * Whether a link of the API leads to a pull request. The API keeps the name that a repository had, so GitHub
 * is asked what it leads to, if the names differ.
 */
async function isOf(
  { github }: FoundLink,
  place: PullRequestPlace,
  search: SearchDeps,
): Promise<boolean> {
  const { repository, number, otherName } = place;
  if (github?.number !== String(number)) {
    return false;
  }
  const isHere = (name: string) => [repository, otherName].some((each) => isSameName(name, each));
  if (isHere(github.repository)) {
    return true;
  }
  const linked = { repository: github.repository, number };
  const reading = await readPullDetails(linked, search.requests);
  if (reading.kind === 'failed' && !reading.isRefusal) {
    throw unreadable(reading, `pull request ${threadName(linked)}`, search);
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

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const readLimitMs = 60_000;

/** The key is refused for everything then, whatever pull request this is about. */
const keyReasons = ['key-refused', 'forbidden', 'rate-limited'] as const;

/** Reads a job; `undefined` if the project has no such job. */
async function readKnown(
  id: string,
  { runner: { clock }, jobDeps }: SearchDeps,
): Promise<Job | undefined> {
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
  { request, token }: SearchDeps,
): ActionError {
  const permissions = permissionsFor(request.inputs.label);
  return openPullRequestError(
    `${what} could not be read, because ${failure.problem}`,
    adviceOnFailure(failure, permissions, token),
  );
}
