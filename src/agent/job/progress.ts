import type { PlatformError } from '../../platform/errors.ts';
import type { Failure } from '../../platform/failure.ts';
import type { Job } from '../../platform/job.ts';
import type { JobResponse } from '../../platform/jobs.ts';
import { countFailure, isHopeless, succeeded, type Tally, untried } from '../../platform/tally.ts';
import { type Result, resultOfJob } from '../result.ts';
import type { StartedJob } from './source.ts';

/** What the polls so far have shown. */
export interface Progress {
  readonly job: Job | undefined;
  readonly tally: Tally;
  /** Whether the job was seen at work since a follow-up was sent. */
  readonly wasActive: boolean;
  /** Polls that confirmed a completed job without a pull request; `undefined` while none is due. */
  readonly confirmations: number | undefined;
}

/** What follows from a poll: more polls, the job's end, or an error that no waiting mends. */
export type Step =
  | { readonly kind: 'go-on'; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly result: Result }
  | { readonly kind: 'refused'; readonly error: PlatformError };

/** The link of a pull request can come a moment after the status. */
const confirmationsNeeded = 2;

/** After a job was created, a 404 within this time can mean that it is not visible yet. */
const visibleAfterMs = 60_000;

/** After a follow-up, the API can show the state from before for this long. */
const followUpDelayMs = 120_000;

export function beginProgress({ source, job, before }: StartedJob): Progress {
  const wasRead = before !== undefined || (source === 'resume' && job !== undefined);
  return {
    job,
    tally: wasRead ? succeeded : untried,
    wasActive: job?.status === 'active',
    confirmations: undefined,
  };
}

/** Takes in the response to one poll. Pure; `nowMs` is the moment on the monotonic clock. */
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
    wasActive: before.wasActive || job.status === 'active',
  };
  if (job.status === 'active') {
    return { kind: 'go-on', progress: { ...progress, confirmations: undefined } };
  }
  if (isAsBefore(started, progress, job) && ageMs < followUpDelayMs) {
    return { kind: 'go-on', progress };
  }
  return confirmEnd(started, progress, job);
}

function confirmEnd(started: StartedJob, progress: Progress, job: Job): Step {
  const mayNotHaveBegun = isAsBefore(started, progress, job);
  const confirmations = progress.confirmations === undefined ? 0 : progress.confirmations + 1;
  const needsConfirming = job.status === 'completed' && job.pullRequest.kind === 'none';
  return needsConfirming && confirmations < confirmationsNeeded
    ? { kind: 'go-on', progress: { ...progress, confirmations } }
    : { kind: 'ended', result: resultOfJob(job, mayNotHaveBegun) };
}

/** A follow-up is processed later: until then a poll shows the end of the work before it. */
function isAsBefore({ before }: StartedJob, { wasActive }: Progress, job: Job): boolean {
  return (
    !wasActive &&
    job.status === before?.status &&
    JSON.stringify(job.pullRequest) === JSON.stringify(before.pullRequest)
  );
}

function takeFailure(started: StartedJob, before: Progress, failure: Failure, ageMs: number): Step {
  if (before.confirmations !== undefined && before.job !== undefined) {
    // The end is known; a failed poll counts as one that brought no link.
    return confirmEnd(started, before, before.job);
  }
  const tally = countFailure(before.tally, failure);
  return isHopeless(tally) && !mayNotBeVisibleYet(started, failure, ageMs)
    ? { kind: 'refused', error: failure.error }
    : { kind: 'go-on', progress: { ...before, tally } };
}

function mayNotBeVisibleYet({ source }: StartedJob, { status }: Failure, ageMs: number): boolean {
  const isNew = source === 'create' || source === 'resume';
  return status === 404 && isNew && ageMs <= visibleAfterMs;
}
