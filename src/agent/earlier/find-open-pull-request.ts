import { ownAmong, type ThreadPlace, unknownOwner } from '../../github/comments.ts';
import {
  adviceOnFailure,
  adviceOnToken,
  openPullRequestError,
  type RepositoryToken,
} from '../../github/errors.ts';
import { isSameName, threadName } from '../../github/names.ts';
import {
  listLabelled,
  type PullRequestDetails,
  readPullDetails,
} from '../../github/pull-request.ts';
import type { GitHubDeps, RequestFailure } from '../../github/request.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import { asSeenFrom, type FoundLink } from '../../platform/pull-request-link.ts';
import type { Runner } from '../../runner/runner.ts';
import { ActionError, hasReason, rerunLater } from '../../text/error.ts';
import { quoted } from '../../text/plain.ts';
import type { AgentDeps } from '../deps.ts';
import { permissionsFor, tokenFor } from '../inputs.ts';
import { type JobDeps, readJob } from '../job/poll.ts';
import { attachedTo } from '../job/started-job.ts';
import { docsRepositoryOf, type Request } from '../request.ts';
import {
  isSameSource,
  listNamedJobs,
  type NamedJob,
  type RecordedComment,
  sourceOf,
} from './pull-request-record.ts';

/** A pull request, and the job that opened it. */
export interface EarlierPullRequest {
  readonly jobId: string;
  readonly link: FoundLink;
  readonly isOpen: boolean;
  /** The pull request's last commit when this run found it. */
  readonly headSha: string;
}

/** What a search among the labelled pull requests found. */
interface LabelSearch {
  readonly pullRequest: EarlierPullRequest | undefined;
  /** The pull requests with the label that the run cannot continue, newest first. */
  readonly passedOver: readonly PassedOver[];
}

/** A pull request that a run does not continue. */
export interface PassedOver extends Doubt {
  readonly number: number;
}

/** Why this run does not continue a pull request. */
interface Doubt {
  readonly level: 'notice' | 'warning';
  /** The rest of a clause whose subject is the pull request. */
  readonly why: string;
}

/** What the search for traces of earlier runs needs. */
export interface EarlierDeps extends AgentDeps {
  readonly jobDeps: JobDeps;
}

/** What the search for a pull request needs, and the proof of which job opened that pull request. */
interface SearchDeps {
  readonly request: Request;
  readonly requests: GitHubDeps;
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
  const { label } = request.inputs;
  const token = tokenFor(repository, request.access.inputs, environment);
  if (token.value === '') {
    throw openPullRequestError(
      `input ${token.input} is empty`,
      adviceOnToken({}, permissionsFor(label), token),
    );
  }
  const requests = { session: github.as(token.value), clock, signal };
  return { request, requests, token, runner, jobDeps };
}

/** Each pull request costs a request. People label some pull requests by hand, but not dozens. */
const maxPullRequests = 20;

/**
 * Finds the newest open pull request with the label that one of the project's jobs opened.
 * @throws ActionError if GitHub or the API does not tell
 */
export async function findOpenPullRequest(
  request: Request,
  deps: EarlierDeps,
): Promise<LabelSearch> {
  const { label } = request.inputs;
  const repository = docsRepositoryOf(request);
  const search = searchIn(repository, request, deps);
  const listing = await listLabelled(repository, label, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the open pull requests of ${repository}`, search);
  }
  const passedOver: PassedOver[] = [];
  const errors: ActionError[] = [];
  for (const number of listing.value.slice(0, maxPullRequests)) {
    const proof = await provePullRequest({ repository, number }, search);
    switch (proof.kind) {
      case 'proven':
        return { pullRequest: proof.pullRequest, passedOver };
      case 'unproven':
        passedOver.push({ ...proof, number });
        break;
      case 'unknown':
        passedOver.push({ level: 'warning', why: "may be the agent's or not", number });
        errors.push(proof.error);
    }
  }
  if (listing.value.length > maxPullRequests) {
    throw openPullRequestError(
      `${repository} has ${listing.value.length} open pull requests with the label ${quoted(label)}, and none of the newest ${maxPullRequests} is known to come from a run of ${request.repository}`,
      'give pr-label a label that nothing else uses',
    );
  }
  if (errors[0] !== undefined) {
    throw errors[0];
  }
  return { pullRequest: undefined, passedOver };
}

/** What is known of a pull request's job. */
type Proof =
  | { readonly kind: 'proven'; readonly pullRequest: EarlierPullRequest }
  | Unproven
  /** A job of this project may have opened the pull request, but the job could not be read, or has no link yet. */
  | { readonly kind: 'unknown'; readonly error: ActionError };

interface Unproven extends Doubt {
  readonly kind: 'unproven';
}

function unproven(why: string, level: Doubt['level'] = 'notice'): Unproven {
  return { kind: 'unproven', level, why };
}

const ofNoJob = unproven('was opened by no job that is known to be of this project');

/**
 * Only one job has opened a pull request. Asking for a job costs one request to the API, or three if the API does not
 * know a job that an insider names.
 */
const maxJobs = 5;

/**
 * Finds the job that opened a pull request: comments name jobs, whoever wrote them, and the API says whether
 * one of these jobs has this very pull request. Only if the API links none of the jobs to it, a comment of our own
 * login counts instead: other workflows have the same login, and may repeat what strangers wrote.
 *
 * @throws ActionError if GitHub does not tell, or if the API refuses the key
 */
export async function provePullRequest(place: ThreadPlace, search: SearchDeps): Promise<Proof> {
  const name = threadName(place);
  const { inputs } = search.request;
  const listing = await listNamedJobs(place, search.requests);
  if (listing.kind === 'failed') {
    throw unreadable(listing, `the comments on pull request ${name}`, search);
  }
  const jobs = listing.value.filter(({ first }) => mayBeAskedForHere(first, search));
  if (jobs.length === 0) {
    const other = listing.value[0]?.first.source.name;
    return other === undefined ? ofNoJob : unproven(`was asked for by ${other}`);
  }
  const reading = await readPullDetails(place, search.requests);
  if (reading.kind === 'failed') {
    throw unreadable(reading, `pull request ${name}`, search);
  }
  if (!reading.value.isOpen && inputs.job.kind === 'new') {
    // The commits of a follow-up would stay on a branch that nobody merges.
    return unproven('has just been merged or closed');
  }
  return await proofByJobs(jobs, { place, details: reading.value }, search);
}

/** Asks the API for one job after the other, and without a link of one of them, judges by who named the jobs. */
async function proofByJobs(
  jobs: readonly NamedJob[],
  pull: ReadPull,
  search: SearchDeps,
): Promise<Proof> {
  const deadlineMs = search.runner.clock.nowMs() + readLimitMs;
  const unlinked: ReadJob[] = [];
  for (const named of jobs.slice(0, maxJobs)) {
    const job = await readNamed(named, deadlineMs, search);
    const linked = job.kind === 'read' ? job.job.pullRequest : undefined;
    if (linked?.kind !== 'link') {
      unlinked.push(job);
      continue;
    }
    const link = asSeenFrom(search.runner.environment.serverUrl, linked);
    if (await isOf(link, pull, search)) {
      return provenBy(named, link, pull);
    }
  }
  const comments = unlinked.flatMap(({ named }) => named.comments);
  const own = await ownAmong(comments, search.requests);
  const proofs = unlinked.map((job) => proveWithoutLink(job, own, pull, search));
  const ofMany =
    jobs.length > maxJobs
      ? unproven(
          `has comments that name ${jobs.length} jobs, and none of the ${maxJobs} likeliest has opened it`,
          'warning',
        )
      : ofNoJob;
  const isWarning = (proof: Proof) => proof.kind === 'unproven' && proof.level === 'warning';
  return (
    proofs.find(({ kind }) => kind === 'proven') ??
    proofs.find(({ kind }) => kind === 'unknown') ??
    proofs.find(isWarning) ??
    ofMany
  );
}

/** Whether a comment is about a pull request that this repository may have asked for. */
function mayBeAskedForHere(
  { source }: RecordedComment,
  { request: { inputs }, runner: { environment } }: SearchDeps,
): boolean {
  // Whoever comments on a pull request may ask for changes, whichever repository asked for it first.
  return inputs.job.kind !== 'new' || isSameSource(source, sourceOf(environment));
}

/** A pull request as GitHub returns it. */
interface ReadPull {
  readonly place: ThreadPlace;
  readonly details: PullRequestDetails;
}

function provenBy(
  { jobId }: NamedJob,
  link: FoundLink,
  { details: { isOpen, headSha } }: ReadPull,
): Proof {
  return { kind: 'proven', pullRequest: { jobId, link, isOpen, headSha } };
}

/**
 * The API links no pull request of an active job, or of one that has just ended. Then it counts whether our own
 * login wrote the comment.
 * @param own the comments of our own login; `undefined` if GitHub does not say who that is
 */
function proveWithoutLink(
  job: ReadJob,
  own: readonly RecordedComment[] | undefined,
  pull: ReadPull,
  { request: { inputs }, runner }: SearchDeps,
): Proof {
  const { jobId, first } = job.named;
  // A stranger who names a job that cannot be read must not keep new jobs from starting. A run that was asked to work
  // on this very pull request ends with the error.
  const unknown = (error: ActionError): Proof =>
    first.isInsider || inputs.job.kind !== 'new' ? { kind: 'unknown', error } : ofNoJob;
  if (job.kind === 'failed') {
    return unknown(job.error);
  }
  if (own === undefined) {
    return unknown(openPullRequestError(unknownOwner.problem, rerunLater));
  }
  const isOwn = own.some((comment) => comment.jobId === jobId);
  // A run that ends with `skipped` sends nothing to the job, so the job need not exist any more.
  const isSkipped = inputs.job.kind === 'new' && inputs.onOpenPullRequest === 'skip';
  if (isOwn && (job.kind === 'read' || isSkipped)) {
    return provenBy(job.named, linkTo(pull, runner.environment.serverUrl), pull);
  }
  if (job.kind === 'gone') {
    return first.isInsider
      ? unproven(`was opened by job ${jobId}, which Mintlify does not know any more`, 'warning')
      : ofNoJob;
  }
  return isFinal(job.job.status)
    ? ofNoJob
    : unknown(
        openPullRequestError(
          `job ${jobId}, which a comment on pull request ${threadName(pull.place)} names, still runs, and Mintlify does not say which pull request it works on`,
          'run the workflow again when that job has ended',
        ),
      );
}

/**
 * Whether a link of the API leads to a pull request. The API keeps the name that a repository had, so GitHub
 * is asked which pull request the link leads to, if the names differ.
 */
async function isOf(
  { github }: FoundLink,
  { place: { repository, number }, details }: ReadPull,
  search: SearchDeps,
): Promise<boolean> {
  if (github?.number !== String(number)) {
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
  return { kind: 'link', url, github: { repository, number: String(number) } };
}

/** Longer than a brief failure of the API, shorter than anyone waits for a job to start. */
const readLimitMs = 60_000;

/** With these reasons, the API refuses the key, so asking for the next job would fail in the same way. */
const keyReasons = ['key-refused', 'forbidden', 'rate-limited'] as const;

/** A job that comments name, as the API knows it; `gone` if the project has no such job. */
type ReadJob = { readonly named: NamedJob } & (
  | { readonly kind: 'read'; readonly job: Job }
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: ActionError }
);

/**
 * Reads the job that a comment names.
 * @throws ActionError if the API refuses the key, CancelledError
 */
async function readNamed(
  named: NamedJob,
  deadlineMs: number,
  { runner: { clock }, jobDeps }: SearchDeps,
): Promise<ReadJob> {
  const attached = attachedTo(named.jobId, clock);
  // A run of this workflow probably started the job that an insider names. So a single 404 does not prove that there is
  // no such job, as for one that was resumed; when it was started is not known.
  const started = named.first.isInsider
    ? ({ ...attached, source: 'resumed', sentMs: -Infinity } as const)
    : attached;
  try {
    return { named, kind: 'read', job: await readJob(started, { ...jobDeps, deadlineMs }) };
  } catch (error) {
    if (hasReason(error, 'job-not-found')) {
      return { named, kind: 'gone' };
    }
    const isOfKey = keyReasons.some((reason) => hasReason(error, reason));
    if (!(error instanceof ActionError) || isOfKey) {
      throw error;
    }
    return { named, kind: 'failed', error: openPullRequestError(error.what, error.advice) };
  }
}

/** The error if GitHub does not return what this step has to know before it starts anything. */
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
