import type { Reply } from '../../platform/ask.ts';
import type { Failure } from '../../platform/failure.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import {
  countFailure,
  isPermanent,
  type RetryState,
  succeeded,
  untried,
} from '../../platform/retry-state.ts';
import { type FollowUp, isAsBefore, isUnseen } from './follow-up.ts';
import type { PolledJob } from './polled-job.ts';

/** What is known from the polls so far. */
export interface Progress {
  /** The job as people should see it: it is `active` while its end may be older than the follow-up. */
  readonly job: Job | undefined;
  readonly phase: JobPhase;
  /** The follow-up that the job works on; `undefined` if it got none, or somebody else sent it. */
  readonly followUp: FollowUp | undefined;
  readonly retryState: RetryState;
}

/**
 * How far the job has come, and what leads out of each phase:
 *
 * - `active`: the agent works, or nothing is known yet. A poll shows an end.
 * - `unsettled`: the API shows the end from before the follow-up, and no poll has seen the job active since. A poll shows
 *   another state, or `settlesAfterMs` have passed.
 * - `confirming`: the API shows an end without a link, or the end from before the follow-up, after a time in which the
 *   agent can have worked. `pollsLeft` further polls show the same end or fail, or a poll shows another state.
 * - `ended`: no further poll is needed.
 */
type JobPhase =
  | { readonly at: 'active' | 'unsettled' | 'ended' }
  | { readonly at: 'confirming'; readonly pollsLeft: number };

/** What is known at one moment of the wait. */
export interface Seen extends Progress {
  readonly waitedMs: number;
  /** The delay before the next poll; `undefined` after the last poll. */
  readonly delayMs: number | undefined;
}

/** Two polls confirm an end: the link can appear a moment after the status, and a late response can be outdated. */
const pollsToConfirm = 2;

/** This soon after a job was created, a 404 can mean that it is not visible yet. */
const visibleAfterMs = 60_000;

/**
 * For this long after a follow-up, a job that looks as it did before the follow-up has not ended, unless a poll has
 * seen it active: the agent may not have started yet. The API does not say how long the start takes.
 */
const settlesAfterMs = 600_000;

/**
 * What is known before the first poll.
 * @param job the response to the request that this step sent; `undefined` if the step has sent nothing
 */
export function beginProgress(job?: Job, followUp?: FollowUp): Progress {
  if (job === undefined) {
    return { job, phase: { at: 'active' }, followUp, retryState: untried };
  }
  // The response to a follow-up proves nothing: it can show the state from before.
  const mayBeOlder = followUp !== undefined && isFinal(job.status);
  return {
    job: mayBeOlder ? asActive(job) : job,
    phase: { at: mayBeOlder ? 'unsettled' : 'active' },
    followUp,
    retryState: succeeded,
  };
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
  started: PolledJob,
  last: Progress,
  response: Reply<Job>,
  nowMs: number,
): Progress {
  const ageMs = nowMs - started.sentMs;
  if (response.kind === 'success') {
    return takeJob(last, response.value, ageMs);
  }
  return last.phase.at === 'confirming' && last.job !== undefined
    ? // The job has ended, so a failed poll confirms the end like a poll that returned the same job again.
      takeJob(last, last.job, ageMs)
    : takeFailure(started, last, response.failure, ageMs);
}

function takeJob(last: Progress, response: Job, ageMs: number): Progress {
  const job = withFieldsOf(last.job, response);
  const followUp =
    last.followUp && isSeenActive(job) ? { ...last.followUp, wasActive: true } : last.followUp;
  const progress = { job, followUp, retryState: succeeded };
  if (!isFinal(job.status)) {
    return { ...progress, phase: { at: 'active' } };
  }
  // Until the API processes a follow-up, it returns the job as it was before. It may do so once more after a response
  // that showed the job active.
  const looksAsBefore = isAsBefore(followUp, job);
  if (looksAsBefore && isUnseen(followUp) && ageMs < settlesAfterMs) {
    return { ...progress, job: asActive(job), phase: { at: 'unsettled' } };
  }
  const isDoubtful = looksAsBefore || isUnlinked(job);
  const pollsLeft = last.phase.at === 'confirming' ? last.phase.pollsLeft - 1 : pollsToConfirm;
  return isDoubtful && pollsLeft > 0
    ? { ...progress, phase: { at: 'confirming', pollsLeft } }
    : { ...progress, phase: { at: 'ended' } };
}

function asActive(job: Job): Job {
  return { ...job, status: 'active' };
}

/** Whether the response showed that the agent works. A status that is missing or unknown proves nothing. */
function isSeenActive({ status, unknownStatus }: Job): boolean {
  return !isFinal(status) && unknownStatus === undefined;
}

function isUnlinked({ status, pullRequest }: Job): boolean {
  return status === 'completed' && pullRequest.kind === 'none';
}

function takeFailure(
  started: PolledJob,
  last: Progress,
  failure: Failure,
  ageMs: number,
): Progress {
  const retryState = countFailure(last.retryState, failure);
  const isHopeless = isPermanent(retryState) || isWrongId(started, retryState, failure);
  if (isHopeless && !mayNotBeVisibleYet(started, failure, ageMs)) {
    throw failure.error;
  }
  return { ...last, retryState };
}

/** Whether the API itself does not know the job that an input named. A web page does not count: a proxy may send it. */
function isWrongId(
  { source }: PolledJob,
  retryState: RetryState,
  { status, isFromApi }: Failure,
): boolean {
  return source === 'attached' && status === 404 && isFromApi && !retryState.hasSucceeded;
}

function mayNotBeVisibleYet({ source }: PolledJob, { status }: Failure, ageMs: number): boolean {
  const isNew = source === 'created' || source === 'resumed';
  return status === 404 && isNew && ageMs <= visibleAfterMs;
}
