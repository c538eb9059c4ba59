import { type Attempt, doubled, type RetryOptions, retry } from '../../network/retry.ts';
import type { Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import type { Clock } from '../../runner/clock.ts';
import { type Result, resultOfJob } from '../result.ts';
import { adaptiveIntervalMs, longestIntervalMs } from './interval.ts';
import type { PollObserver } from './observer.ts';
import { beginProgress, type Progress, type Step, takeResponse } from './progress.ts';
import type { StartedJob } from './source.ts';

export interface PollDeps {
  readonly getJob: (jobId: string, timeoutMs: number) => Promise<JobResponse>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly observer: PollObserver;
  /** A fixed interval; `undefined` for the adaptive one. */
  readonly pollIntervalMs: number | undefined;
}

const second = 1000;

/** The time limit of one poll, from connecting to the end of the body. */
const pollTimeoutMs = 30 * second;

/** The last poll may start at the deadline, so the step can end this much later. */
const lastPollTimeoutMs = 5 * second;

/** With these, the two polls that confirm "no pull request" take at most 10 s. */
const confirmIntervalMs = 3 * second;
const confirmTimeoutMs = 2 * second;

/**
 * Polls the job until it ends or the waiting time is over.
 *
 * @throws ActionError for a permanent failure, and for the last failure if the waiting time passed
 *   without a single successful poll of a job that this step did not start
 * @throws CancelledError when the run is cancelled
 */
export async function pollJob(started: StartedJob, deps: PollDeps): Promise<Result> {
  let progress = beginProgress(started);
  const attempt = async (count: number): Promise<Attempt<Result>> => {
    // A job that was just started cannot have ended, so the first poll comes after a delay.
    if (count > 0 || started.source === 'attach' || started.source === 'resume') {
      const response = await getJob(started, progress, deps);
      const nowMs = deps.clock.nowMs();
      const step = takeResponse(started, progress, response, nowMs);
      tell(response, step, nowMs - started.sinceMs, deps);
      if (step.kind === 'ended') {
        return { kind: 'done', value: step.result };
      }
      if (step.kind === 'refused') {
        throw step.error;
      }
      progress = step.progress;
    }
    return nextPoll(started, progress, deps, () => timedOut(progress));
  };
  return await retry(
    attempt,
    retryOptions(started, () => progress, deps),
  );
}

/**
 * Handles `wait-minutes: 0`: leaves a job that this step started running, and reads the state of any
 * other job once.
 *
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function pollWithoutWaiting(started: StartedJob, deps: PollDeps): Promise<Result> {
  if (started.job !== undefined) {
    return started.source === 'resume'
      ? resultSoFar(started, started.job, deps)
      : { result: 'running', job: started.job };
  }
  const job = await readJob(started, deps);
  deps.observer.polled(job, deps.clock.nowMs() - started.sinceMs);
  return resultOfJob(job);
}

/** A follow-up that was sent a moment ago may not show yet; an end need not be confirmed here. */
function resultSoFar(started: StartedJob, job: Job, deps: PollDeps): Result {
  const nowMs = deps.clock.nowMs();
  const response = { kind: 'job', job } as const;
  const step = takeResponse(started, beginProgress(started), response, nowMs);
  if (step.kind === 'go-on' && step.progress.confirmations === undefined) {
    tell(response, step, nowMs - started.sinceMs, deps);
    return { result: 'running', job };
  }
  return resultOfJob(job);
}

/** Until a follow-up shows, a poll returns how the job ended before, which is no news. */
function tell(response: JobResponse, step: Step, waitedMs: number, { observer }: PollDeps): void {
  if (response.kind === 'job') {
    const shown = step.kind === 'go-on' ? step.progress.job : undefined;
    observer.polled(shown ?? response.job, waitedMs);
  }
}

/**
 * Polls until one poll succeeds, and returns the job. Makes at least one attempt, even if no time is
 * left.
 *
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function readJob(attached: StartedJob, deps: PollDeps): Promise<Job> {
  let progress = beginProgress(attached);
  const attempt = async (): Promise<Attempt<Job>> => {
    const response = await getJob(attached, progress, deps);
    if (response.kind === 'job') {
      return { kind: 'done', value: response.job };
    }
    const step = takeResponse(attached, progress, response, deps.clock.nowMs());
    if (step.kind !== 'go-on') {
      throw response.failure.error;
    }
    progress = step.progress;
    return nextPoll(attached, progress, deps, () => {
      throw response.failure.error;
    });
  };
  return await retry(
    attempt,
    retryOptions(attached, () => progress, deps),
  );
}

async function getJob(
  started: StartedJob,
  progress: Progress,
  { getJob: get, clock, signal }: PollDeps,
): Promise<JobResponse> {
  const response = await get(started.id, timeoutOf(started, progress, clock));
  signal.throwIfAborted();
  return response;
}

function retryOptions(
  { sinceMs }: StartedJob,
  progress: () => Progress,
  { clock, signal, observer }: PollDeps,
): RetryOptions {
  return {
    clock,
    signal,
    onDelay(delayMs) {
      const { job, tally } = progress();
      if (tally.lastFailure !== undefined) {
        observer.pollFailed(tally.lastFailure.error);
      }
      observer.waiting(job, clock.nowMs() - sinceMs, delayMs, tally.lastFailure?.error.what);
    },
  };
}

function nextPoll<Value>(
  started: StartedJob,
  { confirmations, tally }: Progress,
  { clock, pollIntervalMs }: PollDeps,
  giveUp: () => Value,
): Attempt<Value> {
  if (confirmations !== undefined) {
    // The confirmation may exceed the waiting time, because it takes at most 10 s.
    const delayMs = Math.min(confirmIntervalMs, pollIntervalMs ?? confirmIntervalMs);
    return { kind: 'again', delayMs, deadlineMs: Infinity, atDeadline: 'shorten', giveUp };
  }
  const waitedMs = clock.nowMs() - started.sinceMs;
  const intervalMs = pollIntervalMs ?? adaptiveIntervalMs(waitedMs, clock.random());
  return {
    kind: 'again',
    delayMs: doubled(intervalMs, tally.failuresInRow - 1, longestIntervalMs),
    retryAfterMs: tally.lastFailure?.retryAfterMs,
    deadlineMs: started.deadlineMs,
    atDeadline: 'shorten',
    giveUp,
  };
}

function timeoutOf(
  { deadlineMs }: StartedJob,
  { confirmations }: Progress,
  { nowMs }: Pick<Clock, 'nowMs'>,
): number {
  return confirmations === undefined
    ? Math.min(Math.max(deadlineMs - nowMs(), lastPollTimeoutMs), pollTimeoutMs)
    : confirmTimeoutMs;
}

function timedOut({ job, tally: { lastFailure } }: Progress): Result {
  if (job !== undefined) {
    return {
      result: 'timed-out',
      job,
      ...(lastFailure && { lastProblem: lastFailure.error.what }),
    };
  }
  throw lastFailure?.error ?? new Error('The waiting time passed without a poll.');
}
