import { JobMayExistError, RateLimitedError } from '../platform/errors.ts';
import type { Failure } from '../platform/failure.ts';
import type { Job } from '../platform/job.ts';
import type { JobAnswer, Jobs } from '../platform/jobs.ts';
import type { Clock } from '../runner/clock.ts';
import { untilWhen } from '../text/duration.ts';
import type { Waiting } from './progress.ts';
import { backOffMs } from './schedule.ts';

/** A request that starts paid work was broken off by this step itself: it may have arrived, or not. */
export class SendingError extends Error {
  override readonly name = 'SendingError';
}

/** The three ways to come to a job, decided once from the inputs. */
export type Work =
  | { readonly kind: 'create'; readonly prompt: string }
  | { readonly kind: 'follow-up'; readonly jobId: string; readonly prompt: string }
  | { readonly kind: 'attach'; readonly jobId: string };

export interface StartWorld {
  readonly jobs: Pick<Jobs, 'create' | 'followUp'>;
  /** Reads the job's state before a follow-up. */
  readonly readBefore: (waiting: Waiting) => Promise<Job>;
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
  /** Told of each pause before a request is sent again. */
  readonly onRetry: (failure: Failure, pauseMs: number) => void;
}

/**
 * How long a service that cannot be reached is tried: longer than a short outage, shorter than
 * anybody waits for the news that an address is wrong.
 */
const unreachablePatienceMs = 60_000;

/** What to do when nobody knows whether paid work was started. */
const createAdvice =
  "a job may exist, so look for it in the project's dashboard before you start another one, and put its id into job-id to wait for it";
const followUpAdvice =
  'the follow-up may have been taken, so look at the job before you send it again, and leave prompt out to wait for it';

/**
 * Starts the work, unless there is nothing to start, and says what is to be waited for.
 *
 * @throws JobMayExistError when a request that starts paid work may have arrived unanswered
 * @throws SendingError when a cancelled run or a mistake of our own leaves the same open
 * @throws PlatformError when the service refused, or was not reached
 * @throws CancelledError when the run was cancelled and nothing had been sent
 */
export async function start(work: Work, waitMs: number, world: StartWorld): Promise<Waiting> {
  const deadlineMs = world.clock.nowMs() + waitMs;
  switch (work.kind) {
    case 'create': {
      const send = () => world.jobs.create(work.prompt);
      const { job, sinceMs } = await post(send, createAdvice, deadlineMs, world);
      return { origin: 'create', jobId: job.id, job, sinceMs, deadlineMs };
    }
    case 'follow-up': {
      const attached = attach(work.jobId, deadlineMs, world);
      const before = await world.readBefore(attached);
      const send = () => world.jobs.followUp(work.jobId, work.prompt);
      const { job, sinceMs } = await post(send, followUpAdvice, deadlineMs, world);
      return { origin: 'follow-up', jobId: job.id, job, before, sinceMs, deadlineMs };
    }
    case 'attach':
      return attach(work.jobId, deadlineMs, world);
  }
}

function attach(jobId: string, deadlineMs: number, { clock }: StartWorld): Waiting {
  return { origin: 'attach', jobId, sinceMs: clock.nowMs(), deadlineMs };
}

/**
 * Sends a request that starts paid work until it is taken. It is sent again only where the last
 * one provably did nothing: it never left, or the service refused it for now.
 */
async function post(
  send: () => Promise<JobAnswer>,
  adviceIfLost: string,
  deadlineMs: number,
  world: StartWorld,
): Promise<{ job: Job; sinceMs: number }> {
  const firstMs = world.clock.nowMs();
  for (let attempt = 0; ; attempt += 1) {
    const sinceMs = world.clock.nowMs();
    const answer = await send().catch((cause: unknown) => {
      throw new SendingError('The request was broken off.', { cause });
    });
    if (answer.kind === 'job') {
      return { job: answer.job, sinceMs };
    }
    const { failure } = answer;
    refuseToGoOn(failure, world.cancelled);
    refuseRepeating(failure, adviceIfLost);
    const endMs = Math.min(deadlineMs, patienceEndMs(failure, firstMs));
    const nowMs = world.clock.nowMs();
    const pauseMs = Math.max(backOffMs(attempt, world.clock.random()), failure.retryAfterMs ?? 0);
    if (nowMs + pauseMs > endMs) {
      throw outOfPatience(failure, endMs - nowMs, world.clock);
    }
    world.onRetry(failure, pauseMs);
    await world.clock.sleep(pauseMs, world.cancelled);
  }
}

function refuseToGoOn({ didNothing }: Failure, cancelled: AbortSignal): void {
  if (!didNothing && cancelled.aborted) {
    throw new SendingError('The request was broken off.', { cause: cancelled.reason });
  }
  cancelled.throwIfAborted();
}

function refuseRepeating(failure: Failure, adviceIfLost: string): void {
  if (!failure.didNothing) {
    const { error, status = 0 } = failure;
    const isRedirect = status >= 300 && status < 400;
    const advice = isRedirect ? `${adviceIfLost}; also, ${error.advice}` : adviceIfLost;
    throw new JobMayExistError(`${error.what}, after the request was sent`, advice);
  }
  const neverLeft = failure.status === undefined;
  if (!neverLeft && !(failure.error instanceof RateLimitedError)) {
    throw failure.error;
  }
}

function patienceEndMs({ error }: Failure, firstMs: number): number {
  return error instanceof RateLimitedError
    ? Number.POSITIVE_INFINITY
    : firstMs + unreachablePatienceMs;
}

function outOfPatience({ error, retryAfterMs = 0 }: Failure, leftMs: number, clock: Clock): Error {
  return error instanceof RateLimitedError && retryAfterMs > Math.max(leftMs, 0)
    ? new RateLimitedError(
        `${error.what} and asks to wait ${untilWhen(retryAfterMs, clock.todayMs())}`,
        'that is longer than wait-minutes allows, so re-run the workflow after that',
      )
    : error;
}
