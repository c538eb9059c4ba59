import { type Attempt, doubled, type RetryOptions, retry } from '../../network/retry.ts';
import type { PlatformError } from '../../platform/errors.ts';
import type { Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import type { Clock } from '../../runner/clock.ts';
import { type Result, resultOfJob } from '../result.ts';
import { beginProgress, type Progress, takeResponse } from './progress.ts';
import type { StartedJob } from './source.ts';

/** Is told what the polls show. */
export interface PollObserver {
  /** A poll returned the job. */
  polled(job: Job, waitedMs: number): void;
  /** A delay begins. */
  waiting(job: Job | undefined, waitedMs: number, delayMs: number): void;
  /** A poll failed, and is repeated. */
  pollFailed(error: PlatformError): void;
}

export interface PollDeps {
  readonly getJob: (jobId: string, timeoutMs: number) => Promise<JobResponse>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly observer: PollObserver;
  /** A fixed interval in place of the adaptive one. */
  readonly pollIntervalMs: number | undefined;
}

const second = 1000;

/** The limit of one poll, over headers and body. */
const pollTimeoutMs = 30 * second;

/** A poll that begins at the deadline shows the job as late as possible, but must end soon. */
const lastPollTimeoutMs = 5 * second;

/** Two polls that confirm "no pull request" end within 10 s. */
const confirmIntervalMs = 3 * second;
const confirmTimeoutMs = 2 * second;

/** Below 5 s a poll costs more than it tells; above 60 s people wonder. */
const shortestIntervalMs = 5 * second;
const longestIntervalMs = 60 * second;

/**
 * Polls the job until its end, or until the waiting time is over.
 *
 * @throws PlatformError for a refusal that no waiting mends, and for the last failure when the
 *   waiting time passed without one good response about a job that this step did not start
 * @throws CancelledError when the run is cancelled
 */
export async function pollJob(started: StartedJob, deps: PollDeps): Promise<Result> {
  let progress = beginProgress(started);
  const attempt = async (count: number): Promise<Attempt<Result>> => {
    // A job that was started a moment ago has nothing to show yet.
    if (count > 0 || started.source === 'attach' || started.source === 'resume') {
      const response = await getJob(started, progress, deps);
      const nowMs = deps.clock.nowMs();
      if (response.kind === 'job') {
        deps.observer.polled(response.job, nowMs - started.sinceMs);
      }
      const step = takeResponse(started, progress, response, nowMs);
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
 * What `wait-minutes: 0` asks for: a job that this step started is left to run; of one that it did
 * not start, the state is read.
 *
 * @throws PlatformError, CancelledError as `pollJob` does
 */
export async function pollWithoutWaiting(started: StartedJob, deps: PollDeps): Promise<Result> {
  if (started.job !== undefined) {
    return started.source === 'resume'
      ? resultSoFar(started, started.job, deps.clock.nowMs())
      : { result: 'running', job: started.job };
  }
  const job = await readJob(started, deps);
  deps.observer.polled(job, deps.clock.nowMs() - started.sinceMs);
  return resultOfJob(job);
}

/** A follow-up that was sent a moment ago may not show yet; an end need not be confirmed here. */
function resultSoFar(started: StartedJob, job: Job, nowMs: number): Result {
  const step = takeResponse(started, beginProgress(started), { kind: 'job', job }, nowMs);
  const mayGoOn = step.kind === 'go-on' && step.progress.confirmations === undefined;
  return mayGoOn ? { result: 'running', job } : resultOfJob(job);
}

/**
 * Reads a job's state, with as many polls as that takes; at least one, even if no time is left.
 *
 * @throws PlatformError, CancelledError as `pollJob` does
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
      observer.waiting(job, clock.nowMs() - sinceMs, delayMs);
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
    // An end that only waits to be confirmed is worth 10 s more than the waiting time.
    const delayMs = Math.min(confirmIntervalMs, pollIntervalMs ?? confirmIntervalMs);
    return { kind: 'again', delayMs, deadlineMs: Infinity, atDeadline: 'cut', giveUp };
  }
  const waitedMs = clock.nowMs() - started.sinceMs;
  const intervalMs = pollIntervalMs ?? adaptiveIntervalMs(waitedMs, clock.random());
  return {
    kind: 'again',
    delayMs: doubled(intervalMs, tally.failuresInRow - 1, longestIntervalMs),
    retryAfterMs: tally.lastFailure?.retryAfterMs,
    deadlineMs: started.deadlineMs,
    atDeadline: 'cut',
    giveUp,
  };
}

/**
 * The adaptive interval: a tenth of the time waited so far, less up to a tenth of that at random,
 * kept between 5 s and 60 s.
 *
 * So the end of a job is seen at most 10% of its run time late (5 s for short jobs, 60 s for long
 * ones), and the first hour has at most 95 polls. The random part keeps steps that started together
 * from polling together; it comes off before the limits, or the first hour would have more polls.
 *
 * @param random from 0 to below 1
 */
export function adaptiveIntervalMs(waitedMs: number, random: number): number {
  const tenthMs = waitedMs * 0.1 * (1 - 0.1 * random);
  return Math.min(Math.max(tenthMs, shortestIntervalMs), longestIntervalMs);
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
