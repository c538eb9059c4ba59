import { backoffMs } from '../../network/retry.ts';
import type { Failure } from '../../platform/failure.ts';
import type { Job, Jobs } from '../../platform/job.ts';
import type { Clock } from '../../runner/clock.ts';
import { type Result, resultOfJob } from '../result.ts';
import { beginProgress, type Progress, takeResponse } from './progress.ts';
import type { StartedJob } from './start.ts';

/** What starting and polling a job needs. */
export interface JobDeps {
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly observer: JobObserver;
  /** A fixed interval between polls; `undefined` for the adaptive one. */
  readonly pollIntervalMs: number | undefined;
  /** When the step's waiting time is over, on the monotonic clock. */
  readonly deadlineMs: number;
}

/** Receives what happens to the job. */
export interface JobObserver {
  started(started: StartedJob): void;
  /** A delay starts, after which the request that starts the job is sent again. */
  retrying(failure: Failure, delayMs: number): void;
  /** The job was read, and is sent a follow-up next. */
  followingUp(before: Job): void;
  /** A poll returned the job. */
  polled(job: Job, waitedMs: number): void;
  /** A delay starts; the last poll may have failed. */
  waiting(progress: Progress, waitedMs: number, delayMs: number): void;
}

const second = 1000;

/** The time limit of one poll, from connecting to the end of the body. */
const pollTimeoutMs = 30 * second;

/** The last poll may start at the deadline, so the step can end this much later. */
const lastPollTimeoutMs = 5 * second;

/** With these, the two polls that confirm "no pull request" take at most 10 s. */
export const confirmIntervalMs = 3 * second;
const confirmTimeoutMs = 2 * second;

/**
 * Polls the job until it ends or the waiting time is over.
 *
 * @throws ActionError for a permanent failure, and for the last failure if the waiting time passed
 *   without a single successful poll of a job that this step did not start
 * @throws CancelledError when the run is cancelled
 */
export async function pollJob(started: StartedJob, deps: JobDeps): Promise<Result> {
  const { job, end, retryState } = await poll(started, ({ end }) => end !== undefined, deps);
  const lastProblem = retryState.lastFailure?.error.what;
  return end ?? { result: 'timed-out', job, ...(lastProblem !== undefined && { lastProblem }) };
}

/**
 * Polls until one poll returns the job. Makes at least one attempt, even if no time is left.
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function readJob(attached: StartedJob, deps: JobDeps): Promise<Job> {
  const observer = { ...deps.observer, polled: () => undefined };
  const isRead = ({ job }: Progress) => job !== undefined;
  return (await poll(attached, isRead, { ...deps, observer })).job;
}

/**
 * Handles `wait-minutes: 0`: leaves a job that this step started or resumed as it is, and reads any other
 * job once.
 *
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function pollWithoutWaiting(started: StartedJob, deps: JobDeps): Promise<Result> {
  const { clock, observer } = deps;
  const read = started.job ?? (await readJob(started, deps));
  // A follow-up that was sent a moment ago may not show yet; an end need not be confirmed here.
  const response = { kind: 'job', job: read } as const;
  const { job = read } = takeResponse(started, beginProgress(started), response, clock.nowMs());
  observer.polled(job, clock.nowMs() - started.sinceMs);
  return resultOfJob(job);
}

/**
 * The poll loop.
 *
 * @param isEnough whether the polls so far have shown what the caller waits for
 * @returns what is known then, or when the waiting time is over
 * @throws ActionError, CancelledError as `pollJob` does
 */
async function poll(
  started: StartedJob,
  isEnough: (progress: Progress) => boolean,
  deps: JobDeps,
): Promise<Progress & { readonly job: Job }> {
  const { jobs, clock, signal, observer } = deps;
  const { id, source, sinceMs } = started;
  let progress = beginProgress(started);
  // A job that was just started cannot have ended, so its first poll comes after a delay.
  let isDue = source === 'attached' || source === 'resumed';
  for (;;) {
    if (isDue) {
      const response = await jobs.get(id, timeoutOf(progress, deps));
      signal.throwIfAborted();
      progress = takeResponse(started, progress, response, clock.nowMs());
      if (response.kind === 'job' && progress.job !== undefined) {
        observer.polled(progress.job, clock.nowMs() - sinceMs);
      }
    }
    const leftMs = timeLeft(progress, deps);
    if (isEnough(progress) || leftMs <= 0) {
      return withJob(progress);
    }
    const waitedMs = clock.nowMs() - sinceMs;
    const delayMs = Math.min(delayAfter(progress, waitedMs, deps), leftMs);
    observer.waiting(progress, waitedMs, delayMs);
    await clock.sleep(delayMs, signal);
    isDue = true;
  }
}

/** In milliseconds. The confirmation may exceed the waiting time, because it takes at most 10 s. */
function timeLeft({ confirmations }: Progress, { deadlineMs, clock }: JobDeps): number {
  return confirmations === undefined ? deadlineMs - clock.nowMs() : Number.POSITIVE_INFINITY;
}

function timeoutOf(progress: Progress, deps: JobDeps): number {
  return progress.confirmations === undefined
    ? Math.min(Math.max(timeLeft(progress, deps), lastPollTimeoutMs), pollTimeoutMs)
    : confirmTimeoutMs;
}

/** The delay before the next poll. Failures stretch it, and a longer `Retry-After` wins. */
function delayAfter(
  { confirmations, retryState: { failuresInRow, lastFailure } }: Progress,
  waitedMs: number,
  { clock, pollIntervalMs }: JobDeps,
): number {
  if (confirmations !== undefined) {
    return Math.min(confirmIntervalMs, pollIntervalMs ?? confirmIntervalMs);
  }
  const intervalMs = pollIntervalMs ?? adaptiveIntervalMs(waitedMs, clock.random());
  const stretchedMs = backoffMs(intervalMs, failuresInRow - 1, longestIntervalMs);
  return Math.max(stretchedMs, lastFailure?.retryAfterMs ?? 0);
}

/** @throws ActionError the last failure, if no poll has returned the job */
function withJob(progress: Progress): Progress & { readonly job: Job } {
  const { job, retryState } = progress;
  if (job === undefined) {
    throw retryState.lastFailure?.error ?? new Error('The waiting time passed without a poll.');
  }
  return { ...progress, job };
}

/** Under 5 s adds requests but no information; over 60 s makes people think that the step hangs. */
const shortestIntervalMs = 5 * second;
const longestIntervalMs = 60 * second;

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
