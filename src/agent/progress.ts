import type { PlatformError } from '../platform/errors.ts';
import type { Job } from '../platform/job.ts';
import type { Failure, JobAnswer } from '../platform/jobs.ts';

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
  /** Whether a look succeeded, the one before a follow-up included. */
  readonly hasLooked: boolean;
  /** Whether the job was seen at work since a follow-up was sent. */
  readonly wasActive: boolean;
  readonly lastFailure: Failure | undefined;
  readonly failuresInRow: number;
  readonly refusalsInRow: number;
  readonly notFoundInRow: number;
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
const birthMs = 60_000;

/** For so long after a follow-up, the state from before can be all that the service shows. */
const staleMs = 120_000;

const notFoundLimit = 3;
const refusalLimit = 2;

export function beginProgress(waiting: Waiting): Progress {
  return {
    job: waiting.job,
    hasLooked: waiting.before !== undefined,
    wasActive: waiting.origin !== 'follow-up' || waiting.job?.status === 'active',
    lastFailure: undefined,
    failuresInRow: 0,
    refusalsInRow: 0,
    notFoundInRow: 0,
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
    hasLooked: true,
    wasActive: before.wasActive || job.status === 'active',
    lastFailure: undefined,
    failuresInRow: 0,
    refusalsInRow: 0,
    notFoundInRow: 0,
  };
  if (job.status === 'active') {
    return { kind: 'go-on', progress: { ...progress, confirmations: undefined } };
  }
  if (isAsBefore(waiting, progress, job) && waitedMs < staleMs) {
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
  const progress: Progress = {
    ...before,
    lastFailure: failure,
    failuresInRow: before.failuresInRow + 1,
    refusalsInRow: isOwnRefusal(failure) ? before.refusalsInRow + 1 : 0,
    notFoundInRow: failure.status === 404 ? before.notFoundInRow + 1 : 0,
  };
  return isFinal(waiting, progress, failure, waitedMs)
    ? { kind: 'refused', error: failure.error }
    : { kind: 'go-on', progress };
}

/**
 * Whether no waiting mends this failure.
 *
 * A wrong key shows at the first look. Later, a proxy's or a deploying service's stray refusal
 * must not give up a paid job: then only the service's own words count, twice in a row.
 */
function isFinal(
  waiting: Waiting,
  progress: Progress,
  failure: Failure,
  waitedMs: number,
): boolean {
  if (failure.status === 404) {
    const isBorn = waiting.origin !== 'create' || waitedMs > birthMs;
    return progress.notFoundInRow >= notFoundLimit && isBorn;
  }
  return isRefusal(failure) && (!progress.hasLooked || progress.refusalsInRow >= refusalLimit);
}

function isRefusal({ status }: Failure): boolean {
  return status === 400 || status === 401 || status === 403;
}

function isOwnRefusal(failure: Failure): boolean {
  return isRefusal(failure) && failure.isFromService;
}
