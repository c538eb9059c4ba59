import type { PlatformError } from '../platform/errors.ts';
import type { Failure } from '../platform/failure.ts';
import type { Job } from '../platform/job.ts';
import type { JobAnswer } from '../platform/jobs.ts';
import { countFailure, isHopeless, succeeded, type Tally, untried } from '../platform/patience.ts';

/** How the step came to its job. */
export type Origin = 'create' | 'follow-up' | 'attach';

/** What is being waited for. */
export interface Waiting {
  readonly origin: Origin;
  readonly jobId: string;
  /** The job as the start answered it; an attached job was not seen yet. */
  readonly job?: Job;
  /** The job as it was before a follow-up. */
  readonly before?: Job;
  /** When the job was started, or first looked at, on the monotonic clock. */
  readonly sinceMs: number;
  /** When the waiting time is over, on the monotonic clock. */
  readonly deadlineMs: number;
}

/** What the looks so far have shown. */
export interface Progress {
  readonly job: Job | undefined;
  readonly looks: Tally;
  /** Whether the job was seen at work since a follow-up was sent. */
  readonly wasActive: boolean;
  /** Looks that confirmed a completed job without a pull request; `undefined` while none is due. */
  readonly confirmations: number | undefined;
}

/** What follows from a look: more looks, the job's end, or an error that no waiting mends. */
export type Step =
  | { readonly kind: 'go-on'; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly job: Job; readonly mayNotHaveBegun: boolean }
  | { readonly kind: 'refused'; readonly error: PlatformError };

/** The link of a pull request can come a moment after the status. */
const confirmationsNeeded = 2;

/** For so long after a create, a 404 can mean that the job is not there yet. */
const visibleAfterMs = 60_000;

/** For so long after a follow-up, the state from before can be all that the service shows. */
const followUpPatienceMs = 120_000;

export function beginProgress(waiting: Waiting): Progress {
  return {
    job: waiting.job,
    looks: waiting.before === undefined ? untried : succeeded,
    wasActive: waiting.job?.status === 'active',
    confirmations: undefined,
  };
}

/** Takes one look's answer in. Pure; `nowMs` is the moment on the monotonic clock. */
export function takeAnswer(
  waiting: Waiting,
  progress: Progress,
  answer: JobAnswer,
  nowMs: number,
): Step {
  const waitedMs = nowMs - waiting.sinceMs;
  return answer.kind === 'job'
    ? takeJob(waiting, progress, answer.job, waitedMs)
    : takeFailure(waiting, progress, answer.failure, waitedMs);
}

function takeJob(waiting: Waiting, before: Progress, job: Job, waitedMs: number): Step {
  const progress: Progress = {
    ...before,
    job,
    looks: succeeded,
    wasActive: before.wasActive || job.status === 'active',
  };
  if (job.status === 'active') {
    return { kind: 'go-on', progress: { ...progress, confirmations: undefined } };
  }
  if (isAsBefore(waiting, progress, job) && waitedMs < followUpPatienceMs) {
    return { kind: 'go-on', progress };
  }
  return confirmEnd(waiting, progress, job);
}

function confirmEnd(waiting: Waiting, progress: Progress, job: Job): Step {
  const mayNotHaveBegun = isAsBefore(waiting, progress, job);
  const confirmations = progress.confirmations === undefined ? 0 : progress.confirmations + 1;
  const needsConfirming = job.status === 'completed' && job.pullRequest.kind === 'none';
  return needsConfirming && confirmations < confirmationsNeeded
    ? { kind: 'go-on', progress: { ...progress, confirmations } }
    : { kind: 'ended', job, mayNotHaveBegun };
}

/** A follow-up is processed later: until then a look shows the end of the work before it. */
function isAsBefore({ before }: Waiting, { wasActive }: Progress, job: Job): boolean {
  return (
    !wasActive &&
    job.status === before?.status &&
    JSON.stringify(job.pullRequest) === JSON.stringify(before.pullRequest)
  );
}

function takeFailure(waiting: Waiting, before: Progress, failure: Failure, waitedMs: number): Step {
  if (before.confirmations !== undefined && before.job !== undefined) {
    // The end is known; a failed look only counts as one that brought no link.
    return confirmEnd(waiting, before, before.job);
  }
  const looks = countFailure(before.looks, failure);
  return isHopeless(looks) && !mayNotBeVisibleYet(waiting, failure, waitedMs)
    ? { kind: 'refused', error: failure.error }
    : { kind: 'go-on', progress: { ...before, looks } };
}

function mayNotBeVisibleYet({ origin }: Waiting, { status }: Failure, waitedMs: number): boolean {
  return status === 404 && origin === 'create' && waitedMs <= visibleAfterMs;
}
