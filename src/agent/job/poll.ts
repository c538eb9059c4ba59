import { type Attempt, doubled, retry } from '../../network/retry.ts';
import type { Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import type { Clock } from '../../runner/clock.ts';
import { type Result, resultOfJob } from '../result.ts';
import {
  adaptiveIntervalMs,
  beginProgress,
  longestIntervalMs,
  type Progress,
  type Step,
  takeResponse,
} from './progress.ts';
import type { StartedJob } from './start.ts';

export interface PollDeps {
  readonly getJob: (jobId: string, timeoutMs: number) => Promise<JobResponse>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly observer: PollObserver;
  /** A fixed interval; `undefined` for the adaptive one. */
  readonly pollIntervalMs: number | undefined;
}

/** Receives the results of the polls. */
export interface PollObserver {
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
export async function pollJob(started: StartedJob, deps: PollDeps): Promise<Result> {
  const { clock, observer } = deps;
  // A job that was just started cannot have ended, so the first poll comes after a delay.
  const startsAtOnce = started.source === 'attached' || started.source === 'resumed';
  const take: Loop<Result>['take'] = (response, step) => {
    if (response.kind === 'job') {
      const shown = step.kind === 'go-on' ? step.progress.job : undefined;
      observer.polled(shown ?? response.job, clock.nowMs() - started.sinceMs);
    }
    return step.kind === 'ended' ? step.result : undefined;
  };
  return await poll(started, { startsAtOnce, take, giveUp: timedOut }, deps);
}

/**
 * Polls until one poll returns the job. Makes at least one attempt, even if no time is left.
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function readJob(attached: StartedJob, deps: PollDeps): Promise<Job> {
  return await poll(
    attached,
    {
      startsAtOnce: true,
      take: (response) => (response.kind === 'job' ? response.job : undefined),
      giveUp: ({ tally }) => {
        throw tally.lastFailure?.error ?? new Error('A job was not polled.');
      },
    },
    deps,
  );
}

/**
 * Handles `wait-minutes: 0`: leaves a job that this step started or resumed as it is, and reads any other
 * job once.
 *
 * @throws ActionError, CancelledError as `pollJob` does
 */
export async function pollWithoutWaiting(started: StartedJob, deps: PollDeps): Promise<Result> {
  if (started.job === undefined) {
    const job = await readJob(started, deps);
    deps.observer.polled(job, deps.clock.nowMs() - started.sinceMs);
    return resultOfJob(job);
  }
  // A follow-up that was sent a moment ago may not show yet; an end need not be confirmed here.
  const response = { kind: 'job', job: started.job } as const;
  const step = takeResponse(started, beginProgress(started), response, deps.clock.nowMs());
  if (step.kind !== 'go-on' || step.progress.confirmations !== undefined) {
    return resultOfJob(started.job);
  }
  const job = step.progress.job ?? started.job;
  deps.observer.polled(job, deps.clock.nowMs() - started.sinceMs);
  return { result: 'running', job };
}

interface Loop<Value> {
  /** Whether the first poll comes without a delay. */
  readonly startsAtOnce: boolean;
  /** The value of a response that ends the loop; `undefined` for one more poll. */
  readonly take: (response: JobResponse, step: Step) => Value | undefined;
  /** The value, or the error, when the waiting time is over. */
  readonly giveUp: (progress: Progress) => Value;
}

async function poll<Value>(
  started: StartedJob,
  { startsAtOnce, take, giveUp }: Loop<Value>,
  deps: PollDeps,
): Promise<Value> {
  const { clock, signal, observer } = deps;
  let progress = beginProgress(started);
  const attempt = async (count: number): Promise<Attempt<Value>> => {
    if (count > 0 || startsAtOnce) {
      const response = await deps.getJob(started.id, timeoutOf(started, progress, clock));
      signal.throwIfAborted();
      const step = takeResponse(started, progress, response, clock.nowMs());
      const value = take(response, step);
      if (value !== undefined) {
        return { kind: 'done', value };
      }
      if (step.kind === 'refused') {
        throw step.error;
      }
      progress = step.kind === 'go-on' ? step.progress : progress;
    }
    return { ...nextPoll(started, progress, deps), giveUp: () => giveUp(progress) };
  };
  return await retry(attempt, {
    clock,
    signal,
    onDelay: (delayMs) => observer.waiting(progress, clock.nowMs() - started.sinceMs, delayMs),
  });
}

function nextPoll(
  started: StartedJob,
  { confirmations, tally }: Progress,
  { clock, pollIntervalMs }: PollDeps,
) {
  const again = { kind: 'again', atDeadline: 'shorten' } as const;
  if (confirmations !== undefined) {
    // The confirmation may exceed the waiting time, because it takes at most 10 s.
    const delayMs = Math.min(confirmIntervalMs, pollIntervalMs ?? confirmIntervalMs);
    return { ...again, delayMs, deadlineMs: Infinity };
  }
  const waitedMs = clock.nowMs() - started.sinceMs;
  const intervalMs = pollIntervalMs ?? adaptiveIntervalMs(waitedMs, clock.random());
  return {
    ...again,
    delayMs: doubled(intervalMs, tally.failuresInRow - 1, longestIntervalMs),
    retryAfterMs: tally.lastFailure?.retryAfterMs,
    deadlineMs: started.deadlineMs,
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
