import type { Failure } from '../../platform/failure.ts';
import { hasStatus, isFinal, type Job, type JobResponse } from '../../platform/job.ts';
import {
  countFailure,
  isPermanent,
  type RetryState,
  succeeded,
  untried,
} from '../../platform/retry-state.ts';
import { type Result, resultOfJob } from '../result.ts';
import type { StartedJob } from './started-job.ts';
import { isAsBefore, type StateBefore } from './state-before.ts';

/** What is known from the polls so far. */
export interface Progress {
  /** The job as people should see it. */
  readonly job: Job | undefined;
  /**
   * Whether the last poll returned how the job ended before the follow-up, and none has returned it active since. That
   * is no news.
   */
  readonly isStale: boolean;
  readonly retryState: RetryState;
  /** Whether the job was active in a poll since the follow-up was sent. */
  readonly wasActive: boolean;
  /** How many polls confirmed an end that alone proves nothing; `undefined` otherwise. */
  readonly confirmations: number | undefined;
  /** Set once the job has ended, and no further poll is needed. */
  readonly end: Result | undefined;
}

/** What is known at one moment of the wait. */
export interface Seen extends Progress {
  readonly waitedMs: number;
  /** How long until the next poll; `undefined` after the last one. */
  readonly delayMs: number | undefined;
}

/** The link to a pull request can appear a moment after the status, and a late response can be an old one. */
const confirmationsNeeded = 2;

/** This soon after a job was created, a 404 can mean that it is not visible yet. */
const visibleAfterMs = 60_000;

/** For this long after a follow-up, the API can still return the earlier state. */
const followUpDelayMs = 120_000;

/** For this long, it says of such a state that the agent may not have started on the follow-up. */
const doubtMs = 600_000;

/** What is known before the first poll. */
export function beginProgress(started: StartedJob): Progress {
  const { source, job } = started;
  const mayBeEarlier =
    source === 'followed-up' ||
    (job !== undefined && isUnsettled(started.before, job, started.sinceMs - started.sentMs));
  return {
    job: job && mayBeEarlier ? asWorking(job) : job,
    isStale: false,
    retryState: job === undefined ? untried : succeeded,
    // The response to a follow-up can say so already, and the next poll be older.
    wasActive: job !== undefined && source !== 'followed-up' && isSeenActive(job),
    confirmations: undefined,
    end: undefined,
  };
}

/**
 * Whether this may be how the job was before a follow-up that was sent a short time ago.
 * @param before `undefined` if the job got none
 */
export function isUnsettled(before: StateBefore | undefined, job: Job, ageMs: number): boolean {
  return isAsBefore(before, job) && ageMs < followUpDelayMs;
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
  const progress: Progress = { ...before, job, isStale: false, retryState: succeeded, wasActive };
  if (!isFinal(job.status)) {
    return { ...progress, confirmations: undefined };
  }
  const isStale = !wasActive && isAsBefore(started.before, job);
  return isStale && ageMs < followUpDelayMs
    ? { ...progress, job: asWorking(job), isStale, confirmations: undefined }
    : confirmEnd(started, { ...progress, isStale }, job, ageMs);
}

/** Whether the response showed that the agent works, and did not only lack a status. */
function isSeenActive(job: Job): boolean {
  return !isFinal(job.status) && hasStatus(job);
}

/**
 * A job that has just got a follow-up, as people should see it: the API may still return how the job
 * ended before.
 */
export function asWorking(job: Job): Job {
  return isFinal(job.status) ? { ...job, status: 'active' } : job;
}

/**
 * A state from before the follow-up alone proves nothing: until the API processes the follow-up, it returns that state,
 * and may return it once more after it has shown the job active.
 */
function confirmEnd({ before }: StartedJob, progress: Progress, job: Job, ageMs: number): Progress {
  const confirmations = progress.confirmations === undefined ? 0 : progress.confirmations + 1;
  const isUnlinked = job.status === 'completed' && job.pullRequest.kind === 'none';
  const needsConfirming = isUnlinked || isAsBefore(before, job);
  return needsConfirming && confirmations < confirmationsNeeded
    ? { ...progress, confirmations }
    : { ...progress, end: resultOfJob(job, progress.isStale && ageMs < doubtMs) };
}

function takeFailure(
  started: StartedJob,
  before: Progress,
  failure: Failure,
  ageMs: number,
): Progress {
  if (before.confirmations !== undefined && before.job !== undefined) {
    // The job has ended, so a failed poll counts as one without a link.
    return confirmEnd(started, before, before.job, ageMs);
  }
  const retryState = countFailure(before.retryState, failure);
  const isHopeless = isPermanent(retryState) || isWrongId(started, retryState, failure);
  if (isHopeless && !mayNotBeVisibleYet(started, failure, ageMs)) {
    throw failure.error;
  }
  return { ...before, retryState };
}

/** The API itself does not know a job that an input named. A web page may come from a proxy. */
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
