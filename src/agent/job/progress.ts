import type { Failure } from '../../platform/failure.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import { countFailure, isPermanent, succeeded, type Tally, untried } from '../../platform/tally.ts';
import type { ActionError } from '../../text/error.ts';
import { type Result, resultOfJob } from '../result.ts';
import type { StartedJob } from './source.ts';

/** What is known from the polls so far. */
export interface Progress {
  readonly job: Job | undefined;
  readonly tally: Tally;
  /** Whether a poll found that the job has not ended since the follow-up was sent. */
  readonly wasActive: boolean;
  /** How many polls confirmed that a completed job has no pull request; `undefined` otherwise. */
  readonly confirmations: number | undefined;
}

/** The outcome of a poll: more polls are needed, the job ended, or the failure is permanent. */
export type Step =
  | { readonly kind: 'go-on'; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly result: Result }
  | { readonly kind: 'refused'; readonly error: ActionError };

/** The link to a pull request can appear a moment after the status. */
const confirmationsNeeded = 2;

/** This soon after a job was created, a 404 can mean that it is not visible yet. */
const visibleAfterMs = 60_000;

/** For this long after a follow-up, the API can still return the earlier state. */
const followUpDelayMs = 120_000;

export function beginProgress({ source, job, before }: StartedJob): Progress {
  const wasRead = before !== undefined || (source === 'resume' && job !== undefined);
  return {
    job: source === 'follow-up' ? job && asWorking(job) : job,
    tally: wasRead ? succeeded : untried,
    wasActive: job !== undefined && !isFinal(job.status),
    confirmations: undefined,
  };
}

/** Decides what the response to one poll means. Pure; `nowMs` is the time on the monotonic clock. */
export function takeResponse(
  started: StartedJob,
  progress: Progress,
  response: JobResponse,
  nowMs: number,
): Step {
  const ageMs = nowMs - started.sentMs;
  return response.kind === 'job'
    ? takeJob(started, progress, response.job, ageMs)
    : takeFailure(started, progress, response.failure, ageMs);
}

function takeJob(started: StartedJob, before: Progress, job: Job, ageMs: number): Step {
  const progress: Progress = {
    ...before,
    job,
    tally: succeeded,
    wasActive: before.wasActive || !isFinal(job.status),
  };
  if (!isFinal(job.status)) {
    return { kind: 'go-on', progress: { ...progress, confirmations: undefined } };
  }
  if (isAsBefore(started, progress, job) && ageMs < followUpDelayMs) {
    return { kind: 'go-on', progress: { ...progress, job: asWorking(job) } };
  }
  return confirmEnd(started, progress, job);
}

/**
 * A job that has just got a follow-up, as people should see it: the API may still return how the job
 * ended before.
 */
export function asWorking(job: Job): Job {
  return isFinal(job.status) ? { ...job, status: 'active' } : job;
}

function confirmEnd(started: StartedJob, progress: Progress, job: Job): Step {
  const mayNotHaveBegun = isAsBefore(started, progress, job);
  const confirmations = progress.confirmations === undefined ? 0 : progress.confirmations + 1;
  const needsConfirming = job.status === 'completed' && job.pullRequest.kind === 'none';
  return needsConfirming && confirmations < confirmationsNeeded
    ? { kind: 'go-on', progress: { ...progress, confirmations } }
    : { kind: 'ended', result: resultOfJob(job, mayNotHaveBegun) };
}

/** Until the API processes a follow-up, polls return how the job ended before it. */
function isAsBefore({ before }: StartedJob, { wasActive }: Progress, job: Job): boolean {
  return (
    !wasActive &&
    job.status === before?.status &&
    JSON.stringify(job.pullRequest) === JSON.stringify(before.pullRequest)
  );
}

function takeFailure(started: StartedJob, before: Progress, failure: Failure, ageMs: number): Step {
  if (before.confirmations !== undefined && before.job !== undefined) {
    // The job has ended, so a failed poll counts as one without a link.
    return confirmEnd(started, before, before.job);
  }
  const tally = countFailure(before.tally, failure);
  return isPermanent(tally) && !mayNotBeVisibleYet(started, failure, ageMs)
    ? { kind: 'refused', error: failure.error }
    : { kind: 'go-on', progress: { ...before, tally } };
}

function mayNotBeVisibleYet({ source }: StartedJob, { status }: Failure, ageMs: number): boolean {
  const isNew = source === 'create' || source === 'resume';
  return status === 404 && isNew && ageMs <= visibleAfterMs;
}
