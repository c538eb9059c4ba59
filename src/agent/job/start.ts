import { type Attempt, backoffMs, retry } from '../../network/retry.ts';
import type { Reply } from '../../platform/ask.ts';
import { type Failure, finalError } from '../../platform/failure.ts';
import type { Job } from '../../platform/job.ts';
import { duration } from '../../text/duration.ts';
import { ActionError, debugText, hasReason } from '../../text/error.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { type JobDeps, pollUntilRead, withTimeToRead } from './poll.ts';
import { attachedTo } from './polled-job.ts';
import { withFieldsOf } from './progress.ts';

/**
 * Retry an unreachable API for up to a minute: longer than a short outage, but short enough to report a
 * wrong address soon.
 */
const startLimitMs = 60_000;

const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Half of a delay is random, so that steps that failed together do not retry together. */
const jitter = 0.5;

/**
 * What to do if it is unknown whether a request arrived.
 * @param jobId the job that was to get a follow-up; empty if a job was to be started
 */
export function adviceOnRequest(jobId: string): string {
  return jobId === ''
    ? 'a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one'
    : `Mintlify may have received the follow-up to job ${jobId}, so open the job in the dashboard, and then start a new run, with job-id ${jobId} and no prompt to wait for it or with the prompt to send it again`;
}

/** The API started nothing, and a follow-up may have been refused because of its job. */
export class RefusedError extends ActionError {}

/**
 * The statuses with which the API may refuse a follow-up because of its job. 401 and 402 are left out: a refused key
 * or missing credits would stop a new job, too.
 */
const statusesOfRefusal = [400, 403, 404, 409, 410, 422];

/** The error of a refused request. A web page says nothing about the job, because a proxy may have sent it. */
function refusalOf({ error, isFromApi, status = 0 }: Failure): ActionError {
  return isFromApi && statusesOfRefusal.includes(status)
    ? new RefusedError(error.reason, error.what, error.advice)
    : error;
}

/** What a step sends. */
export type Send =
  | { readonly kind: 'new'; readonly prompt: Prompt }
  | {
      readonly kind: 'follow-up';
      readonly prompt: Prompt;
      /** The job that gets the follow-up, as the API returned it before the follow-up was sent. */
      readonly before: Job;
      /** The last commit of the job's pull request before the follow-up; `undefined` if it is not known. */
      readonly headSha: string | undefined;
    };

/**
 * Reads the job that is to get a follow-up.
 * @throws ActionError, CancelledError as `pollUntilRead` does
 */
export async function readBefore(jobId: string, deps: JobDeps): Promise<Job> {
  const { log, clock } = deps.runner;
  const { job } = await pollUntilRead(attachedTo(jobId, clock), withTimeToRead(deps));
  log.debug(`Before the follow-up, job ${jobId} was ${job.status}.`);
  return job;
}

/**
 * Starts the job, or sends the follow-up.
 *
 * @throws ActionError if a request that starts paid work may have arrived, but got no response
 * @throws ActionError if the API refused the request or could not be reached; see `RefusedError`
 * @throws CancelledError if the run was cancelled before anything was sent
 */
export async function start(send: Send, deps: JobDeps): Promise<Posted> {
  const { jobs } = deps;
  const { text } = send.prompt;
  if (send.kind === 'new') {
    return await post(() => jobs.create(text), '', deps);
  }
  const { before } = send;
  const { job, sentMs } = await post(() => jobs.followUp(before.id, text), before.id, deps);
  return { job: withFieldsOf(before, job), sentMs };
}

/** The response to a request that started paid work. */
interface Posted {
  readonly job: Job;
  /** When the request was sent, on the monotonic clock. */
  readonly sentMs: number;
}

/**
 * Sends a request that starts paid work, and retries until it is accepted. It retries only if the last
 * request provably had no effect: it was never sent, or the API refused it temporarily.
 *
 * @param jobId the job that is to get a follow-up; empty for a new job
 */
async function post(
  send: () => Promise<Reply<Job>>,
  jobId: string,
  deps: JobDeps,
): Promise<Posted> {
  const { clock, signal, log } = deps.runner;
  const advice = adviceOnRequest(jobId);
  const unreachableUntilMs = clock.nowMs() + startLimitMs;
  const limitedUntilMs = Math.max(deps.deadlineMs, unreachableUntilMs);
  const attempt = async (count: number): Promise<Attempt<Posted>> => {
    const sentMs = clock.nowMs();
    // `send` never rejects. If a bug makes it reject, the request may have left, so a job may exist.
    const response = await send().catch((cause: unknown) => {
      log.debug(debugText(cause));
      throw new ActionError('job-may-exist', 'the request was stopped', advice, { cause });
    });
    if (response.kind === 'success') {
      return { kind: 'done', value: { job: response.value, sentMs } };
    }
    const { failure } = response;
    if (!failure.didNothing) {
      throw mayExist(failure, advice);
    }
    if (!isTemporary(failure)) {
      throw refusalOf(failure);
    }
    const isLimit = hasReason(failure.error, 'rate-limited');
    const endMs = isLimit ? limitedUntilMs : unreachableUntilMs;
    return {
      kind: 'again',
      delayMs: backoffMs(firstDelayMs, count, longestDelayMs),
      retryAfterMs: failure.retryAfterMs,
      deadlineMs: endMs,
      onDelay: (delayMs) =>
        log.info(
          `Nothing was started, because ${failure.error.what}; the next attempt is in ${duration(delayMs)}.`,
        ),
      giveUp: () => {
        throw finalError(failure, endMs - clock.nowMs(), 'wait-minutes allows', clock.epochMs());
      },
    };
  };
  return await retry(attempt, { clock, signal, jitter });
}

/** The error if the job may exist. A redirect also means that `base-url` is wrong, so its advice is added. */
function mayExist({ error, status = 0 }: Failure, advice: string): ActionError {
  const isRedirect = status >= 300 && status < 400;
  return new ActionError(
    'job-may-exist',
    `${error.what}, after the request was sent`,
    isRedirect ? `${advice}; also, ${error.advice}` : advice,
  );
}

/** Whether a request that had no effect can be sent again: it was never sent, or came too early. */
function isTemporary({ error, status }: Failure): boolean {
  return status === undefined || hasReason(error, 'rate-limited');
}
