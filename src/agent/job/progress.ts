import type { Failure } from '../../platform/failure.ts';
import { isFinal, type Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import { countFailure, isPermanent, succeeded, type Tally, untried } from '../../platform/tally.ts';
import type { ActionError } from '../../text/error.ts';
import { type Result, resultOfJob } from '../result.ts';
import type { StartedJob } from './start.ts';

/** What is known from the polls so far. */
export interface Progress {
  readonly job: Job | undefined;
  /** Whether the last poll returned how the job ended before the follow-up, which is no news. */
  readonly isStale: boolean;
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
  const wasRead = before !== undefined || (source === 'resumed' && job !== undefined);
  return {
    job: source === 'followed-up' ? job && asWorking(job) : job,
    isStale: false,
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
    isStale: false,
    tally: succeeded,
    wasActive: before.wasActive || !isFinal(job.status),
  };
  if (!isFinal(job.status)) {
    return { kind: 'go-on', progress: { ...progress, confirmations: undefined } };
  }
  if (isAsBefore(started, progress, job) && ageMs < followUpDelayMs) {
    return { kind: 'go-on', progress: { ...progress, job: asWorking(job), isStale: true } };
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
  const isHopeless = isPermanent(tally) || isWrongId(started, tally, failure);
  return isHopeless && !mayNotBeVisibleYet(started, failure, ageMs)
    ? { kind: 'refused', error: failure.error }
    : { kind: 'go-on', progress: { ...before, tally } };
}

/** The API itself does not know a job that an input named. A web page may come from a proxy. */
function isWrongId({ source }: StartedJob, tally: Tally, { status, isFromApi }: Failure): boolean {
  return source === 'attached' && status === 404 && isFromApi && !tally.hasSucceeded;
}

function mayNotBeVisibleYet({ source }: StartedJob, { status }: Failure, ageMs: number): boolean {
  const isNew = source === 'created' || source === 'resumed';
  return status === 404 && isNew && ageMs <= visibleAfterMs;
}

/** Under 5 s adds requests but no information; over 60 s makes people think that the step hangs. */
const shortestIntervalMs = 5_000;
export const longestIntervalMs = 60_000;

/**
 * The adaptive interval: a tenth of the time waited so far, minus up to 10% jitter, clamped to between
 * 5 s and 60 s.
 *
 * The step notices the end of a job at most 10% of its run time late (5 s for short jobs, 60 s for
 * long ones), and polls at most 95 times in the first hour. The jitter keeps steps that started
 * together from polling together. It is applied before the limits, because otherwise the first hour
 * would have more polls.
 *
 * @param random at least 0 and less than 1
 */
export function adaptiveIntervalMs(waitedMs: number, random: number): number {
  const tenthMs = waitedMs * 0.1 * (1 - 0.1 * random);
  return Math.min(Math.max(tenthMs, shortestIntervalMs), longestIntervalMs);
}
