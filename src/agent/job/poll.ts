import { backoffMs } from '../../network/retry.ts';
import type { Job, Jobs } from '../../platform/job.ts';
import type { Runner } from '../../runner/runner.ts';
import type { AgentDeps } from '../deps.ts';
import { type Result, resultOfJob } from '../result.ts';
import { createPollLog } from './poll-log.ts';
import type { PolledJob } from './polled-job.ts';
import { beginProgress, type Progress, type Seen, takeResponse } from './progress.ts';

/** What starting and polling a job needs. */
export interface JobDeps {
  readonly jobs: Jobs;
  readonly runner: Pick<Runner, 'clock' | 'signal' | 'log'>;
  /** A fixed interval between polls; `undefined` for the adaptive interval. */
  readonly pollIntervalMs: number | undefined;
  /** When the step's waiting time is over, on the monotonic clock. */
  readonly deadlineMs: number;
}

/** What a run works with once its inputs are read. */
export interface RunDeps extends AgentDeps, Omit<JobDeps, 'runner'> {}

const second = 1000;

/** The time limit of one poll, from connecting to the end of the body. */
const pollTimeoutMs = 30 * second;

/** The time limit of a poll at the deadline: the step can end this much later than its waiting time. */
const lastPollTimeoutMs = 5 * second;

/** With this interval and this time limit, the two polls that confirm an end take at most 10 s. */
const confirmIntervalMs = 3 * second;
const confirmTimeoutMs = 2 * second;

/**
 * Polls the job until it ends or the waiting time is over, and yields what is known before each delay and at the end.
 * A step that does not wait polls until one response shows whether the job has ended.
 *
 * @param waitMs how long the step is to wait; with 0, the step does not wait for the job's end
 * @throws as `pollUntil` does
 */
export function poll(
  started: PolledJob,
  progress: Progress,
  waitMs: number,
  deps: JobDeps,
): AsyncGenerator<Seen, void> {
  return waitMs === 0
    ? pollUntil(isCertain, started, progress, withTimeToRead(deps))
    : pollUntil(hasEnded, started, progress, deps);
}

/** Longer than a short outage, and longer than a new job may take to become visible. */
const readingMs = 90 * second;

/** A step that does not wait for its job still has to know how the job is, so it gets the time for some polls. */
export function withTimeToRead(deps: JobDeps): JobDeps {
  return {
    ...deps,
    deadlineMs: Math.max(deps.deadlineMs, deps.runner.clock.nowMs() + readingMs),
  };
}

/**
 * Polls the job until enough is known or the time is over, and yields what is known before each delay and at the end.
 *
 * @param progress what is known already. If it lacks the job, the first poll comes at once, and otherwise after a delay
 * @param isEnough whether the caller has no need of further polls
 * @throws ActionError for a permanent failure, and for the last failure if the waiting time passed
 *   without a single successful poll of a job that this step did not start
 * @throws CancelledError when the run is cancelled
 */
async function* pollUntil(
  isEnough: (progress: Progress) => boolean,
  started: PolledJob,
  progress: Progress,
  deps: JobDeps,
): AsyncGenerator<Seen, void> {
  const { clock, signal } = deps.runner;
  const pollNow = async (last: Progress): Promise<Progress> => {
    const response = await deps.jobs.get(started.id, timeoutOf(last, deps));
    signal.throwIfAborted();
    return takeResponse(started, last, response, clock.nowMs());
  };
  let known = progress.job === undefined ? await pollNow(progress) : progress;
  for (;;) {
    const leftMs = timeLeft(known, deps);
    const waitedMs = clock.nowMs() - started.sinceMs;
    if (isEnough(known) || leftMs <= 0) {
      yield { ...known, job: jobIn(known), waitedMs, delayMs: undefined };
      return;
    }
    const delayMs = Math.min(delayAfter(known, waitedMs, deps), leftMs);
    yield { ...known, waitedMs, delayMs };
    await clock.sleep(delayMs, signal);
    known = await pollNow(known);
  }
}

function hasEnded({ phase }: Progress): boolean {
  return phase.at === 'ended';
}

/** Whether the API has returned the job, and no end of it needs confirmation. */
function isCertain({ job, phase }: Progress): boolean {
  return job !== undefined && phase.at !== 'confirming';
}

/** Whether the API has returned the job. */
function isRead({ job }: Progress): boolean {
  return job !== undefined;
}

/** What is known once the API has returned the job. */
export interface ReadProgress extends Progress {
  readonly job: Job;
}

/**
 * Polls until one poll returns the job. Makes at least one attempt, even if no time is left.
 *
 * @param progress what is known already; by default, the step has sent nothing to the job
 * @throws ActionError, CancelledError as `pollUntil` does
 */
export async function pollUntilRead(
  started: PolledJob,
  deps: JobDeps,
  progress = beginProgress(),
): Promise<ReadProgress> {
  const log = createPollLog(deps.runner);
  for await (const seen of pollUntil(isRead, started, progress, deps)) {
    const { job } = seen;
    if (job !== undefined) {
      return { ...seen, job };
    }
    log.polled(seen);
  }
  throw new Error('A poll ended without a job.');
}

/**
 * The result once the last poll was made.
 * @param waitMs how long the step was to wait; with 0, the step does not wait for the job's end
 */
export function resultOfPolls(progress: Progress, waitMs: number): Result {
  const job = jobIn(progress);
  if (hasEnded(progress) || waitMs === 0) {
    return resultOfJob(job);
  }
  const lastProblem = progress.retryState.lastFailure?.error.what;
  return { result: 'timed-out', job, ...(lastProblem !== undefined && { lastProblem }) };
}

/** The time left in milliseconds. The polls that confirm an end may exceed it, because they take at most 10 s. */
function timeLeft({ phase }: Progress, { deadlineMs, runner: { clock } }: JobDeps): number {
  return phase.at === 'confirming' ? Number.POSITIVE_INFINITY : deadlineMs - clock.nowMs();
}

function timeoutOf(progress: Progress, deps: JobDeps): number {
  return progress.phase.at === 'confirming'
    ? confirmTimeoutMs
    : Math.min(Math.max(timeLeft(progress, deps), lastPollTimeoutMs), pollTimeoutMs);
}

/** The delay before the next poll. Failures stretch it, and a longer `Retry-After` wins. */
function delayAfter(
  { phase, retryState: { failuresInRow, lastFailure } }: Progress,
  waitedMs: number,
  { runner: { clock }, pollIntervalMs }: JobDeps,
): number {
  if (phase.at === 'confirming') {
    return Math.min(confirmIntervalMs, pollIntervalMs ?? confirmIntervalMs);
  }
  const intervalMs = pollIntervalMs ?? adaptiveIntervalMs(waitedMs, clock.random());
  const stretchedMs = backoffMs(intervalMs, failuresInRow - 1, longestIntervalMs);
  return Math.max(stretchedMs, lastFailure?.retryAfterMs ?? 0);
}

/** @throws ActionError the last failure, if no poll has returned the job */
function jobIn({ job, retryState }: Progress): Job {
  if (job === undefined) {
    throw retryState.lastFailure?.error ?? new Error('The waiting time passed without a poll.');
  }
  return job;
}

/**
 * Jobs of real projects take minutes, so polls that are closer than 10 s tell nothing new. An interval over
 * 60 s makes people think that the step hangs.
 */
const shortestIntervalMs = 10 * second;
const longestIntervalMs = 60 * second;

/**
 * The adaptive interval: an eighteenth of the time waited so far, minus up to 10% jitter, clamped to between
 * 10 s and 60 s.
 *
 * The step polls at most 97 times in the first hour, because the API has limits of 100 an hour, and Mintlify
 * does not say whether polls count. The step notices the end of a job of three minutes 5 s late on average, and
 * the end of a long job at most 60 s late. The jitter keeps steps that started together from polling
 * together. It is applied before the limits, because otherwise the first hour would have more polls.
 *
 * @param random at least 0 and less than 1
 */
export function adaptiveIntervalMs(waitedMs: number, random: number): number {
  const partMs = (waitedMs / 18) * (1 - 0.1 * random);
  return Math.min(Math.max(partMs, shortestIntervalMs), longestIntervalMs);
}
