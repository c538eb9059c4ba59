import type { PlatformError } from '../platform/errors.ts';
import type { Job } from '../platform/job.ts';
import type { JobAnswer } from '../platform/jobs.ts';
import { stretchedPauseMs } from '../platform/patience.ts';
import type { Clock } from '../runner/clock.ts';
import { beginProgress, type Progress, takeAnswer, type Waiting } from './progress.ts';
import { adaptivePauseMs } from './schedule.ts';

/** How the waiting came to its end. */
export type WaitEnding =
  | { readonly kind: 'ended'; readonly job: Job; readonly mayNotHaveBegun: boolean }
  | { readonly kind: 'timed-out'; readonly job: Job; readonly lastError?: PlatformError };

/** Who is told what the looks show. */
export interface WaitWatcher {
  /** A look showed the job. */
  seen(job: Job, waitedMs: number): void;
  /** A pause begins. */
  pausing(job: Job | undefined, waitedMs: number, pauseMs: number): void;
  /** A look failed, but waiting may mend it. */
  troubled(error: PlatformError): void;
}

export interface WaitWorld {
  readonly look: (jobId: string, timeoutMs: number) => Promise<JobAnswer>;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
  readonly watcher: WaitWatcher;
  /** A fixed pause in place of the adaptive ones. */
  readonly pollIntervalMs: number | undefined;
}

/** One look's limit over headers and body. */
const lookTimeoutMs = 30_000;

/** A look that begins with the deadline shows the job as late as can be, but must end soon. */
const lastLookTimeoutMs = 5_000;

/** Two looks that confirm "no pull request" end within 10 s. */
const confirmPauseMs = 3_000;
const confirmTimeoutMs = 2_000;

/**
 * Looks at the job until its end or until the waiting time is over. The only loop of this action
 * that waits for the agent: it owns the deadline, the interval, failures in a row and cancelling.
 *
 * @throws PlatformError for a refusal that no waiting mends, and for the last failure when the
 *   waiting time passed without one good look at a job that this step did not start
 * @throws CancelledError when the run is cancelled
 */
export async function waitForEnd(waiting: Waiting, world: WaitWorld): Promise<WaitEnding> {
  let progress = beginProgress(waiting);
  let pauseMs = waiting.origin === 'attach' ? 0 : choosePauseMs(waiting, progress, world);
  for (;;) {
    await pause(pauseMs, waiting, progress, world);
    const answer = await world.look(waiting.jobId, chooseTimeoutMs(waiting, progress, world));
    world.cancelled.throwIfAborted();
    if (answer.kind === 'job') {
      world.watcher.seen(answer.job, world.clock.nowMs() - waiting.sinceMs);
    }
    const step = takeAnswer(waiting, progress, answer, world.clock.nowMs());
    if (step.kind === 'ended') {
      return step;
    }
    if (step.kind === 'refused') {
      throw step.error;
    }
    tellOfTrouble(answer, world);
    progress = step.progress;
    if (isOver(waiting, progress, world)) {
      return timedOut(progress);
    }
    pauseMs = choosePauseMs(waiting, progress, world);
  }
}

/**
 * What `wait-minutes: 0` asks for: a job that this step started is left to run; one that it did not
 * start is looked at once.
 *
 * @throws PlatformError, CancelledError as `waitForEnd` does
 */
export async function withoutWaiting(
  waiting: Waiting,
  world: WaitWorld,
): Promise<WaitEnding | { readonly kind: 'running'; readonly job: Job }> {
  if (waiting.job !== undefined) {
    return { kind: 'running', job: waiting.job };
  }
  const job = await readOnce(waiting, world);
  world.watcher.seen(job, world.clock.nowMs() - waiting.sinceMs);
  return job.status === 'active'
    ? { kind: 'running', job }
    : { kind: 'ended', job, mayNotHaveBegun: false };
}

/**
 * Looks at a job until one look succeeds: its state before a follow-up. With no time left it looks
 * once.
 *
 * @throws PlatformError, CancelledError as `waitForEnd` does
 */
export async function readOnce(waiting: Waiting, world: WaitWorld): Promise<Job> {
  let progress = beginProgress(waiting);
  for (;;) {
    const answer = await world.look(waiting.jobId, chooseTimeoutMs(waiting, progress, world));
    world.cancelled.throwIfAborted();
    if (answer.kind === 'job') {
      return answer.job;
    }
    const step = takeAnswer(waiting, progress, answer, world.clock.nowMs());
    if (step.kind !== 'go-on' || isOver(waiting, step.progress, world)) {
      throw answer.failure.error;
    }
    tellOfTrouble(answer, world);
    progress = step.progress;
    await pause(choosePauseMs(waiting, progress, world), waiting, progress, world);
  }
}

function tellOfTrouble(answer: JobAnswer, { watcher }: WaitWorld): void {
  if (answer.kind === 'failure') {
    watcher.troubled(answer.failure.error);
  }
}

async function pause(
  pauseMs: number,
  waiting: Waiting,
  progress: Progress,
  { clock, cancelled, watcher }: WaitWorld,
): Promise<void> {
  if (pauseMs > 0) {
    watcher.pausing(progress.job, clock.nowMs() - waiting.sinceMs, pauseMs);
    await clock.sleep(pauseMs, cancelled);
  }
}

function choosePauseMs(waiting: Waiting, progress: Progress, world: WaitWorld): number {
  if (progress.confirmations !== undefined) {
    return Math.min(confirmPauseMs, world.pollIntervalMs ?? confirmPauseMs);
  }
  const { clock, pollIntervalMs } = world;
  const nowMs = clock.nowMs();
  const plainMs = pollIntervalMs ?? adaptivePauseMs(nowMs - waiting.sinceMs, clock.random());
  const pauseMs = Math.max(
    stretchedPauseMs(plainMs, progress.looks.failuresInRow),
    progress.looks.lastFailure?.retryAfterMs ?? 0,
  );
  return Math.min(pauseMs, Math.max(0, waiting.deadlineMs - nowMs));
}

function chooseTimeoutMs(waiting: Waiting, progress: Progress, { clock }: WaitWorld): number {
  if (progress.confirmations !== undefined) {
    return confirmTimeoutMs;
  }
  const leftMs = waiting.deadlineMs - clock.nowMs();
  return Math.min(Math.max(leftMs, lastLookTimeoutMs), lookTimeoutMs);
}

/** An end that only waits to be confirmed is worth 10 s more than the waiting time. */
function isOver(waiting: Waiting, progress: Progress, { clock }: WaitWorld): boolean {
  return progress.confirmations === undefined && clock.nowMs() >= waiting.deadlineMs;
}

function timedOut({ job, looks: { lastFailure } }: Progress): WaitEnding {
  if (job !== undefined) {
    return { kind: 'timed-out', job, ...(lastFailure && { lastError: lastFailure.error }) };
  }
  throw lastFailure?.error ?? new Error('The waiting time passed without a look.');
}
