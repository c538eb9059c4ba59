import { ownAmong, unknownOwner } from '../../github/comments.ts';
import {
  adviceOnFailure,
  adviceOnToken,
  openPullRequestError,
  type RepositoryToken,
} from '../../github/errors.ts';
import { isSameName, type ThreadPlace, threadName } from '../../github/names.ts';
import {
  listLabelled,
  type PullRequestDetails,
  readPullDetails,
} from '../../github/pull-request.ts';
import type { GitHubDeps, RequestFailure } from '../../github/request.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import type { FoundLink } from '../../platform/pull-request-link.ts';
import { ActionError, hasReason, rerunLater } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import { permissionsFor, tokenFor } from '../inputs.ts';
import { pollUntilRead, type RunDeps } from '../job/poll.ts';
import { attachedTo } from '../job/polled-job.ts';
import type { Request } from '../request.ts';
import { type Claim, isSameSource, listRecorded, sourceOf } from './pull-request-record.ts';

/** A pull request, and the job that opened it. */
export interface EarlierPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly isOpen: boolean;
  /** The pull request's last commit when this run found it. */
  readonly headSha: string;
}

/** The pull request that the run is to continue in, and what the search passed over. */
export interface PullRequestSearch {
  readonly pullRequest: EarlierPullRequest | undefined;
  /** Why the run does not continue the newer pull requests with the label: a clause about each, newest first. */
  readonly doubts: readonly string[];
}

/** Whether a job of this project has opened a pull request. */
type Proof = { readonly kind: 'proven'; readonly pullRequest: EarlierPullRequest } | Doubt;

/** No job of this project is known to have opened the pull request, or this run must not continue it. */
interface Doubt {
  readonly kind: 'doubt';
  /** A clause about the pull request. */
  readonly why: string;
  /** Set if a job of this project may have opened the pull request. If the run finds no other one, it starts nothing. */
  readonly error?: ActionError;
}

/** What the search for a pull request needs, and the proof that a job opened the pull request. */
interface Search extends RunDeps {
  readonly request: Request;
  readonly requests: GitHubDeps;
  readonly token: RepositoryToken;
}

/** @throws ActionError if there is no token */
export function searchIn(repository: string, request: Request, deps: RunDeps): Search {
  const { clock, signal, environment } = deps.runner;
  const token = tokenFor(repository, request.access.inputs, environment);
  if (token.value === '') {
    throw openPullRequestError(
      `input ${token.input} is empty`,
      adviceOnToken({}, permissionsFor(request.inputs.label), token),
    );
  }
  const requests = { session: deps.github.as(token.value), clock, signal };
  return { ...deps, request, requests, token };
}

/** Each pull request costs a request or more. People label some pull requests by hand, but not dozens. */
const maxPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findOpenPullRequest(
  request: Request,
  deps: RunDeps,
): Promise<PullRequestSearch> {
  const { label, docsRepository: repository } = request.inputs;
  const search = searchIn(repository, request, deps);
  const listing = await listLabelled(repository, label, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the open pull requests of ${repository}`, search);
  }
  const doubts: string[] = [];
  let error: ActionError | undefined;
  for (const number of listing.value.slice(0, maxPullRequests)) {
    const proof = await provePullRequest({ repository, number }, search);
    if (proof.kind === 'proven') {
      return { pullRequest: proof.pullRequest, doubts };
    }
    doubts.push(proof.why);
    error ??= proof.error;
  }
  if (listing.value.length > maxPullRequests) {
    throw openPullRequestError(
      `${repository} has ${listing.value.length} open pull requests with the label ${quoted(label)}, and none of the newest ${maxPullRequests} is known to come from a run of ${deps.runner.environment.repository}`,
      'give pr-label a label that nothing else uses',
    );
  }
  if (error !== undefined) {
    throw error;
  }
  return { pullRequest: undefined, doubts };
}

/**
 * Finds the job that opened a pull request: comments name jobs, whoever wrote them, and the API says whether
 * one of these jobs has this very pull request. Only if the API links none of the jobs to it, a comment of our own
 * login counts instead: other workflows have the same login, and may repeat what strangers wrote.
 *
 * @throws ActionError if GitHub does not tell, or if the API refuses the key
 */
export async function provePullRequest(place: ThreadPlace, search: Search): Promise<Proof> {
  const name = threadName(place);
  const { inputs } = search.request;
  const listing = await listRecorded(place, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the comments on pull request ${name}`, search);
  }
  const comments = listing.value;
  // For each job that the comments name, the first comment is the one that is most likely to be ours.
  const claims = [...Map.groupBy(comments, ({ jobId }) => jobId).values()]
    .flatMap(([first]) => first ?? [])
    .filter((claim) => mayBeAskedForHere(claim, search));
  if (claims.length === 0) {
    const other = comments[0]?.source.name;
    return doubt(place, other === undefined ? noJob : `was asked for by ${other}`);
  }
  const reading = await readPullDetails(place, search.requests);
  if (reading.kind === 'failed') {
    throw unreadable(reading, `pull request ${name}`, search);
  }
  if (!reading.value.isOpen && inputs.job.kind === 'new') {
    // The commits of a follow-up would stay on a branch that nobody merges.
    return doubt(place, 'has just been merged or closed');
  }
  return await proveByClaims(claims, comments, { place, details: reading.value }, search);
}

/** Whether a comment is about a pull request that this repository may have asked for. */
function mayBeAskedForHere(
  { source }: Claim,
  { request: { inputs }, runner: { environment } }: Search,
): boolean {
  // Whoever comments on a pull request may ask for changes, whichever repository asked for it first.
  return inputs.job.kind !== 'new' || isSameSource(source, sourceOf(environment));
}

const noJob = 'was opened by no job that is known to be of this project';

function doubt(place: ThreadPlace, why: string): Doubt {
  return { kind: 'doubt', why: `${threadName(place)} ${why}` };
}

/** A pull request as GitHub returns it. */
interface ReadPull {
  readonly place: ThreadPlace;
  readonly details: PullRequestDetails;
}

function proven(jobId: string, link: FoundLink, { details }: ReadPull): Proof {
  const { isOpen, headSha } = details;
  return { kind: 'proven', pullRequest: { jobId, link, isOpen, headSha } };
}

/**
 * A pull request has one job, so few comments name others. Reading a job costs one request to the API, or three if the
 * API does not know the job that an insider names.
 */
const maxJobs = 5;

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const readLimitMs = 60_000;

/**
 * Proves by the claims which job opened a pull request, in four steps. The order keeps a claim that proves something
 * from being hidden by claims that are only unclear.
 *
 * @param claims for each job, the claim that is most likely to be ours
 * @param comments all claims
 */
async function proveByClaims(
  claims: readonly Claim[],
  comments: readonly Claim[],
  pull: ReadPull,
  search: Search,
): Promise<Proof> {
  const { inputs } = search.request;
  // 1. The API links the job to this pull request.
  const deadlineMs = search.runner.clock.nowMs() + readLimitMs;
  const unlinked: ReadClaim[] = [];
  for (const claim of claims.slice(0, maxJobs)) {
    const read = await readClaimed(claim, deadlineMs, search);
    const link = read.kind === 'read' ? read.job.pullRequest : undefined;
    if (link?.kind !== 'link') {
      unlinked.push(read);
    } else if (await isOf(link, pull, search)) {
      return proven(claim.jobId, link, pull);
    }
  }
  // 2. A comment of our own login names the job. A job of ours has no link while it is active, and for a moment after
  // its end. A run that ends with `skipped` sends nothing to the job, so the job need not exist any more.
  const own = await ownAmong(comments, search.requests);
  const isSkipped = inputs.job.kind === 'new' && inputs.onOpenPullRequest === 'skip';
  const ours = unlinked.find(
    ({ kind, claim: { jobId } }) =>
      (kind === 'read' || (kind === 'gone' && isSkipped)) &&
      own?.some((comment) => comment.jobId === jobId),
  );
  if (ours !== undefined) {
    return proven(ours.claim.jobId, linkTo(pull, search.runner.environment.serverUrl), pull);
  }
  // 3. The job may be ours. A stranger who names a job that cannot be read must not keep new jobs from starting. A run
  // that was asked to work on this very pull request ends with the error.
  const [error] = unlinked
    .filter(({ claim }) => claim.isInsider || inputs.job.kind !== 'new')
    .flatMap((read) => whyUnclear(read, own !== undefined, pull) ?? []);
  if (error !== undefined) {
    return { ...doubt(pull.place, "may be the agent's or not"), error };
  }
  // 4. No job of this project is known to have opened the pull request.
  const gone = unlinked.find(({ kind, claim }) => kind === 'gone' && claim.isInsider);
  const why =
    gone && `was opened by job ${gone.claim.jobId}, which Mintlify does not know any more`;
  return doubt(pull.place, why ?? noJob);
}

/**
 * Why it is not known whether a job opened a pull request to which the API does not link it; `undefined` if the job did
 * not.
 */
function whyUnclear(
  read: ReadClaim,
  isOwnerKnown: boolean,
  { place }: ReadPull,
): ActionError | undefined {
  if (read.kind === 'failed') {
    return read.error;
  }
  if (!isOwnerKnown) {
    return openPullRequestError(unknownOwner.problem, rerunLater);
  }
  return read.kind === 'gone' || isFinal(read.job.status)
    ? undefined
    : openPullRequestError(
        `job ${read.claim.jobId}, which a comment on pull request ${threadName(place)} names, still runs, and Mintlify does not say which pull request it works on`,
        'run the workflow again when that job has ended',
      );
}

/**
 * Whether a link of the API leads to a pull request. The API keeps the name that a repository had when the job ended.
 * So if the names differ, GitHub is asked which pull request the link leads to.
 */
async function isOf(
  { github }: FoundLink,
  { place: { repository, number }, details }: ReadPull,
  search: Search,
): Promise<boolean> {
  if (github?.number !== number) {
    return false;
  }
  // GitHub may leave out the name that the repository has by now.
  const names = [repository, details.repository || repository];
  const isHere = (other: string) => names.some((name) => isSameName(other, name));
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

function linkTo({ place, details }: ReadPull, serverUrl: string): FoundLink {
  const { number } = place;
  const repository = details.repository || place.repository;
  const url = `${serverUrl}/${repository}/pull/${number}`;
  return { kind: 'link', url, github: { repository, number } };
}

/** With these reasons, the API refuses the key, so asking for the next job would fail in the same way. */
const keyReasons = ['key-refused', 'forbidden', 'rate-limited'] as const;

/** A claim, with what the API says of its job; `gone` if the project has no such job. */
type ReadClaim = { readonly claim: Claim } & (
  | { readonly kind: 'read'; readonly job: Job }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ActionError }
);

/**
 * Reads the job that a claim names.
 * @throws ActionError if the API refuses the key, CancelledError
 */
async function readClaimed(claim: Claim, deadlineMs: number, search: Search): Promise<ReadClaim> {
  const attached = attachedTo(claim.jobId, search.runner.clock);
  // Poll the job that an insider names like a resumed one: a run of this workflow probably started it, so only three
  // 404s mean that it is gone. `-Infinity`: the job is too old to be not visible yet.
  const polled = claim.isInsider
    ? ({ ...attached, source: 'resumed', sentMs: -Infinity } as const)
    : attached;
  try {
    const { job } = await pollUntilRead(polled, { ...search, deadlineMs });
    return { claim, kind: 'read', job };
  } catch (error) {
    if (hasReason(error, 'job-not-found')) {
      return { claim, kind: 'gone' };
    }
    // A stranger may have named a job of another organisation. For such a job, the API refuses our key even if the key
    // is right.
    const isOfKey = claim.isInsider && keyReasons.some((reason) => hasReason(error, reason));
    if (!(error instanceof ActionError) || isOfKey) {
      throw error;
    }
    return { claim, kind: 'failed', error: openPullRequestError(error.what, error.advice) };
  }
}

/** The error if GitHub does not return what the step has to know before it starts anything. */
function unreadable(
  failure: RequestFailure,
  what: string,
  { request, token }: Search,
): ActionError {
  const permissions = permissionsFor(request.inputs.label);
  return openPullRequestError(
    `${what} could not be read, because ${failure.problem}`,
    adviceOnFailure(failure, permissions, token),
  );
}
