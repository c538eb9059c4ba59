import type { Failure } from '../../platform/failure.ts';
import { isFinal, type Job, type JobResponse } from '../../platform/job.ts';
import {
  countFailure,
  isPermanent,
  type RetryState,
  succeeded,
  untried,
} from '../../platform/retry-state.ts';
import { type Result, resultOfJob } from '../result.ts';
import type { StartedJob } from './started-job.ts';
import { isAsBefore } from './state-before.ts';

/** What is known from the polls so far. */
export interface Progress {
  /** The job as people should see it. */
  readonly job: Job | undefined;
  readonly phase: JobPhase;
  /** Whether the job was active in a poll since the request that it works on was sent. */
  readonly wasActive: boolean;
  readonly retryState: RetryState;
}

/** How far the job has come. */
type JobPhase =
  /**
   * No response has shown an end that counts. `unsettled`: the last one showed an end that may be older than the
   * follow-up.
   */
  | { readonly at: 'active' | 'unsettled' }
  /** The job has ended in a way that further polls have to confirm; `polls` is the number of polls that did. */
  | { readonly at: 'confirming'; readonly polls: number }
  /** The job has ended, and no further poll is needed. */
  | { readonly at: 'ended'; readonly result: Result };

/** What is known at one moment of the wait. */
export interface Seen extends Progress {
  readonly waitedMs: number;
  /** The delay before the next poll; `undefined` after the last poll. */
  readonly delayMs: number | undefined;
}

/** An end is confirmed twice: the link can appear a moment after the status, and a late response can be outdated. */
const confirmationsNeeded = 2;

/** This soon after a job was created, a 404 can mean that it is not visible yet. */
const visibleAfterMs = 60_000;

/**
 * For this long after a follow-up, a job that looks as it did before the follow-up has not ended, unless a poll has
 * seen it active: the agent may not have started yet. The API does not say how long the start takes.
 */
const settlesAfterMs = 600_000;

/** What is known before the first poll. */
export function beginProgress(started: StartedJob): Progress {
  const { source, job, wasActive = false, sentMs, sinceMs } = started;
  if (job === undefined) {
    return { job, phase: { at: 'active' }, wasActive, retryState: untried };
  }
  const isFollowUp = source === 'followed-up';
  const mayBeOlder = isFollowUp
    ? isFinal(job.status)
    : isUnsettled(started, job, wasActive, sinceMs - sentMs);
  return {
    job: mayBeOlder ? asActive(job) : job,
    phase: { at: mayBeOlder ? 'unsettled' : 'active' },
    // The response to a follow-up can show an active job, although the next poll shows an older state.
    wasActive: wasActive || (!isFollowUp && isSeenActive(job)),
    retryState: succeeded,
  };
}

/** Whether the job may only look ended because the API does not show the follow-up of a short time ago yet. */
function isUnsettled({ before }: StartedJob, job: Job, wasActive: boolean, ageMs: number): boolean {
  const isYoung = ageMs < settlesAfterMs;
  return isFinal(job.status) && !wasActive && isYoung && isAsBefore(before, job);
}

/** How the job ended; `undefined` as long as a further poll is needed. */
export function endOf({ phase }: Progress): Result | undefined {
  return phase.at === 'ended' ? phase.result : undefined;
}

/**
 * Whether the job is only assumed to be active: the last response may be older than the follow-up, or its status is
 * missing or unknown.
 */
export function isAssumedActive({ job, phase }: Progress): boolean {
  return phase.at === 'unsettled' || job?.unknownStatus !== undefined;
}

/** The job with earlier values for the optional fields that this response lacks. */
export function withFieldsOf(earlier: Job | undefined, job: Job): Job {
  const { repository, ref, model, createdAt, archivedAt } = earlier ?? job;
  return {
    ...job,
    repository: job.repository || repository,
    ref: job.ref || ref,
    model: job.model || model,
    createdAt: job.createdAt || createdAt,
    archivedAt: job.archivedAt || archivedAt,
  };
}

/**
 * What is known after the response to one more poll. Pure; `nowMs` is the time on the monotonic clock.
 * @throws ActionError for a failure that no further poll can mend
 */
export function takeResponse(
  started: StartedJob,
  progress: Progress,
  response: JobResponse,
  nowMs: number,
): Progress {
  const ageMs = nowMs - started.sentMs;
  return response.kind === 'job'
    ? takeJob(started, progress, response.job, ageMs)
    : takeFailure(started, progress, response.failure, ageMs);
}

function takeJob(started: StartedJob, before: Progress, response: Job, ageMs: number): Progress {
  const job = withFieldsOf(before.job, response);
  const wasActive = before.wasActive || isSeenActive(job);
  const progress = { job, wasActive, retryState: succeeded };
  if (!isFinal(job.status)) {
    return { ...progress, phase: { at: 'active' } };
  }
  if (isUnsettled(started, job, wasActive, ageMs)) {
    return { ...progress, job: asActive(job), phase: { at: 'unsettled' } };
  }
  const polls = before.phase.at === 'confirming' ? before.phase.polls + 1 : 0;
  return { ...progress, phase: phaseAtEnd(started, job, polls) };
}

function asActive(job: Job): Job {
  return { ...job, status: 'active' };
}

/** Whether the response showed that the agent works. A status that is missing or unknown proves nothing. */
function isSeenActive({ status, unknownStatus }: Job): boolean {
  return !isFinal(status) && unknownStatus === undefined;
}

/**
 * A job that looks as it did before the follow-up may not have ended: the API returns that state until it processes the
 * follow-up, and may return it once more after a response that showed the job active.
 * @param polls the number of polls that have confirmed the end
 */
function phaseAtEnd({ before }: StartedJob, job: Job, polls: number): JobPhase {
  const isUnlinked = job.status === 'completed' && job.pullRequest.kind === 'none';
  return (isUnlinked || isAsBefore(before, job)) && polls < confirmationsNeeded
    ? { at: 'confirming', polls }
    : { at: 'ended', result: resultOfJob(job) };
}

function takeFailure(
  started: StartedJob,
  before: Progress,
  failure: Failure,
  ageMs: number,
): Progress {
  const { job, phase } = before;
  if (phase.at === 'confirming' && job !== undefined) {
    // The job has ended, so a failed poll counts like a poll that returned no link.
    return { ...before, phase: phaseAtEnd(started, job, phase.polls + 1) };
  }
  const retryState = countFailure(before.retryState, failure);
  const isHopeless = isPermanent(retryState) || isWrongId(started, retryState, failure);
  if (isHopeless && !mayNotBeVisibleYet(started, failure, ageMs)) {
    throw failure.error;
  }
  return { ...before, retryState };
}

/** Whether the API itself does not know the job that an input named. A web page does not count: a proxy may send it. */
function isWrongId(
  { source }: StartedJob,
  retryState: RetryState,
  { status, isFromApi }: Failure,
): boolean {
  return source === 'attached' && status === 404 && isFromApi && !retryState.hasSucceeded;
}

function mayNotBeVisibleYet({ source }: StartedJob, { status }: Failure, ageMs: number): boolean {
  const isNew = source === 'created' || source === 'resumed';
  return status === 404 && isNew && ageMs <= visibleAfterMs;
}
