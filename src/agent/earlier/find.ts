import { openPullRequestError } from '../../github/errors.ts';
import type { Job } from '../../platform/job.ts';
import { ActionError, hasReason, inputError } from '../../text/error.ts';
import type { Granted } from '../access.ts';
import { permissionsFor, tokenFor } from '../inputs.ts';
import { type JobDeps, readJob } from '../job/poll.ts';
import { resumedFrom } from '../job/start.ts';
import { isResumed, type Request } from '../plan.ts';
import { statusPhrases, whyNotResumed } from '../result.ts';
import {
  type EarlierPullRequest,
  findLabelled,
  type LabelSearch,
  type ProveDeps,
  provePullRequest,
  readHead,
} from './labelled.ts';
import { sourceOf } from './pull-request-comment.ts';
import {
  findRecord,
  type JobRecord,
  type RecordDeps,
  type RecordSearch,
  requestKeyOf,
} from './record.ts';

/** What earlier runs left, as far as this one has to know. */
export interface Earlier extends LabelSearch {
  readonly attempt: EarlierAttempt;
  /** What a record of this step is about; see `requestKeyOf`. */
  readonly requestKey: string;
}

/** The job of an earlier attempt of this run. */
export type EarlierAttempt =
  /** This is the first attempt, or nothing is to be resumed. */
  | { readonly kind: 'not-searched' }
  | Exclude<RecordSearch, { readonly kind: 'found' }>
  | {
      readonly kind: 'found';
      /** It may be another use's; then its job is none that a run resumes. */
      readonly record: JobRecord;
      /** `undefined` if the API does not know the job any more. */
      readonly job: Job | undefined;
    };

/** What the search in earlier runs needs. */
export interface EarlierDeps extends RecordDeps {
  readonly access: Granted;
  readonly jobDeps: JobDeps;
}

/**
 * Finds what earlier runs left: the pull request of the event, the job of an earlier attempt, and if there
 * is neither, the open pull request with the label.
 *
 * @throws ActionError if the event is not about the pull request that the inputs ask for
 * @throws ActionError if it cannot be found out, or if an earlier attempt got no response to its request
 * @throws CancelledError
 */
export async function findEarlier(request: Request, deps: EarlierDeps): Promise<Earlier> {
  const { runner, access } = deps;
  const { inputs } = request;
  const ofEvent = await findPullRequestOfEvent(request, deps);
  const jobOfEvent = ofEvent?.jobId ?? '';
  const { matrix } = access.inputs;
  const requestKey = requestKeyOf(inputs, jobOfEvent, matrix, runner.environment);
  const attempt = await findAttempt(request, requestKey, deps);
  const isPullRequestNeeded = request.prompt !== undefined && !isResumed(attempt);
  if (ofEvent === undefined) {
    const search = isPullRequestNeeded ? await findLabelledFor(request, deps) : nothingFound;
    return { ...search, attempt, requestKey };
  }
  const pullRequest = isPullRequestNeeded
    ? await readHead(ofEvent, proveDepsFor(runner.environment.repository, inputs, deps))
    : ofEvent;
  return { ...nothingFound, pullRequest, attempt, requestKey };
}

export const nothingFound: LabelSearch = { pullRequest: undefined, passedOver: [] };

/**
 * Finds the job of the event's pull request, if the inputs ask for that; `undefined` if none is known.
 * @throws ActionError
 */
async function findPullRequestOfEvent(
  { inputs }: Request,
  deps: EarlierDeps,
): Promise<EarlierPullRequest | undefined> {
  if (inputs.job.kind !== 'of-pull-request') {
    return undefined;
  }
  const { repository, eventName } = deps.runner.environment;
  const { thread } = deps.access.event;
  if (thread === undefined) {
    throw inputError(
      'job-id',
      `is "from-pull-request", but the event ${eventName} is not about a pull request`,
      'use it on issue_comment or on an event of pull requests, or give the id of a job',
    );
  }
  if (!thread.isPullRequest) {
    return undefined;
  }
  const place = { repository, number: thread.number };
  const proof = await provePullRequest(place, proveDepsFor(repository, inputs, deps));
  if (proof.kind === 'unknown') {
    throw proof.error;
  }
  return proof.kind === 'proven' ? proof.found : undefined;
}

/**
 * Finds the open pull request with the label, if the inputs ask for that.
 * @throws ActionError
 */
async function findLabelledFor(
  { inputs, docsRepository }: Request,
  deps: EarlierDeps,
): Promise<LabelSearch> {
  if (inputs.job.kind !== 'new' || inputs.onOpenPullRequest === 'new') {
    return nothingFound;
  }
  const proveDeps = proveDepsFor(docsRepository, inputs, deps);
  return await findLabelled(docsRepository, inputs.label, proveDeps);
}

/**
 * Finds the job of an earlier attempt of this run, if a re-run is to resume it.
 * @throws ActionError, CancelledError
 */
async function findAttempt(
  request: Request,
  requestKey: string,
  deps: EarlierDeps,
): Promise<EarlierAttempt> {
  const { inputs, prompt } = request;
  const { attempt } = deps.runner.environment;
  if (attempt === 1 || inputs.onRerun !== 'resume' || prompt === undefined) {
    return { kind: 'not-searched' };
  }
  const search = await findRecord(requestKey, request, deps);
  if (search.kind !== 'found') {
    return search;
  }
  const { record, isOwn } = search;
  if (!record.isConfirmed) {
    throw isOwn ? mayExist(record) : sentAnother(record, undefined);
  }
  const job = await readJobOf(record, isOwn, deps);
  if (!isOwn && job !== undefined && whyNotResumed(job.status) === undefined) {
    throw sentAnother(record, job);
  }
  return { kind: 'found', record, job };
}

/** Longer than a new job may take to become visible. */
const minReadingMs = 90_000;

async function readJobOf(
  record: JobRecord,
  isOwn: boolean,
  { runner: { clock }, state, jobDeps }: EarlierDeps,
): Promise<Job | undefined> {
  // A step that is not to wait still has to know whether there is a job.
  const deadlineMs = Math.max(jobDeps.deadlineMs, clock.nowMs() + minReadingMs);
  try {
    return await readJob(resumedFrom(record, clock), { ...jobDeps, deadlineMs });
  } catch (error) {
    if (hasReason(error, 'job-not-found')) {
      return undefined;
    }
    if (isOwn) {
      state.learn({ record, isResumable: true });
    }
    throw error;
  }
}

/** The error of a re-run whose earlier attempt got no response to its request. */
function mayExist({ attempt, jobId, sent }: JobRecord): ActionError {
  const what = `attempt ${attempt} of this run got no response to its request`;
  return sent === 'new'
    ? new ActionError(
        'job-may-exist',
        what,
        'a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one',
      )
    : new ActionError(
        'job-may-exist',
        what,
        `Mintlify may have received the follow-up to job ${jobId}, so open the job in the dashboard, and then start a new run, without prompt to wait for it or with prompt to send it again`,
      );
}

/**
 * The error of a re-run that finds no record of its own prompt, but one of another: either the prompt has
 * changed, or another use of the action has the same run, job and step.
 *
 * @param job of the record; `undefined` if the API did not confirm it
 */
function sentAnother({ attempt, jobId }: JobRecord, job: Job | undefined): ActionError {
  const outcome =
    job === undefined
      ? 'and got no response, so a job may exist'
      : `and its job ${jobId} ${statusPhrases[job.status].now}`;
  const id = jobId === '' ? 'its id in job-id' : `job-id ${jobId}`;
  return new ActionError(
    'earlier-attempt-unknown',
    `nothing was started, because attempt ${attempt} of this run sent another prompt, ${outcome}`,
    `to wait for that job, start a new run with ${id} and no prompt; to send this prompt, start a new run with it; and if one run uses this action several times, give each use a name of its own in the input matrix`,
  );
}

/** @throws ActionError if there is no token */
function proveDepsFor(
  repository: string,
  { job, onOpenPullRequest, label, api }: Request['inputs'],
  { runner, github, access, jobDeps }: EarlierDeps,
): ProveDeps {
  const { clock, signal, environment } = runner;
  const token = tokenFor(repository, access.inputs, environment);
  if (token.value === '') {
    throw openPullRequestError(
      `input ${token.input} is empty`,
      'leave it out, or give a token that may read pull requests',
    );
  }
  return {
    session: github.as(token.value),
    clock,
    signal,
    apiKey: api.apiKey,
    serverUrl: environment.serverUrl,
    token,
    permissions: permissionsFor(label),
    isContinued: job.kind === 'of-pull-request' || onOpenPullRequest === 'continue',
    // Whoever comments on a pull request may ask for changes, whichever repository asked for it first.
    source: job.kind === 'new' ? sourceOf(environment) : undefined,
    jobDeps,
  };
}
