import type { ErrorResult, ExplainedError, Mistake } from '../common/explain-error.ts';
import type { Skip, SkippedResult } from '../common/skip.ts';
import type { Job, JobStatus } from '../platform/job.ts';
import type { FailOn } from './inputs.ts';
import type { WaitEnding } from './wait.ts';

/**
 * When a step was broken off: before anything was sent that starts work, while such a request may
 * have been under way, or while the job was waited for.
 */
export type Phase = 'before' | 'sending' | 'waiting';

/** A mistake of our own, with all that is known of the job. */
export interface Breakdown extends Mistake {
  readonly phase: Phase;
  /** Empty where no job is known. */
  readonly jobId: string;
  /** How the job was last seen; `undefined` when it was not. */
  readonly lastStatus: JobStatus | undefined;
}

/** How the step's straight line came to its end. */
export type Ending =
  | WaitEnding
  | Skip
  /** `wait-minutes: 0`, and the job is not at its end. */
  | { readonly kind: 'running'; readonly job: Job }
  | { readonly kind: 'cancelled'; readonly jobId: string; readonly phase: Phase }
  | ({ readonly kind: 'error' } & (ExplainedError | Breakdown));

/** What became of the step, as the output `result` names it. */
export type Result =
  | { readonly result: 'pull-request'; readonly job: Job; readonly url: string }
  | { readonly result: 'no-pull-request'; readonly job: Job; readonly mayNotHaveBegun: boolean }
  | { readonly result: 'failed'; readonly job: Job; readonly url?: string }
  | { readonly result: 'archived'; readonly job: Job; readonly url?: string }
  | { readonly result: 'timed-out'; readonly job: Job; readonly lastProblem?: string }
  | { readonly result: 'running'; readonly job: Job }
  | { readonly result: 'cancelled'; readonly jobId: string; readonly phase: Phase }
  | SkippedResult
  | ErrorResult
  | ({ readonly result: 'error' } & Breakdown);

/** Results that only their message tells. */
export function isExplained(result: Result): result is Result & { result: 'error' | 'skipped' } {
  return result.result === 'error' || result.result === 'skipped';
}

/** The step from how it ended to what became of it. Pure and total. */
export function toResult(ending: Ending): Result {
  switch (ending.kind) {
    case 'ended':
      return resultOfJob(ending.job, ending.mayNotHaveBegun);
    case 'timed-out':
      return {
        result: 'timed-out',
        job: ending.job,
        ...(ending.lastError && { lastProblem: ending.lastError.what }),
      };
    case 'running':
      return { result: 'running', job: ending.job };
    case 'cancelled': {
      const { kind, ...rest } = ending;
      return { result: kind, ...rest };
    }
    case 'skipped': {
      const { kind, ...rest } = ending;
      return { result: kind, ...rest };
    }
    case 'error': {
      const { kind, ...rest } = ending;
      return { result: kind, ...rest };
    }
  }
}

function resultOfJob(job: Job, mayNotHaveBegun: boolean): Result {
  const { status, pullRequest } = job;
  const link = pullRequest.kind === 'link' ? { url: pullRequest.url } : {};
  if (status === 'failed') {
    return { result: 'failed', job, ...link };
  }
  if (pullRequest.kind === 'unreadable') {
    return {
      result: 'error',
      reason: 'unreadable-answer',
      message: `The service ended job ${job.id} as ${status}, but its prLink is no https link that can be handed on: look at the job in the dashboard.`,
    };
  }
  switch (status) {
    case 'completed':
      return pullRequest.kind === 'link'
        ? { result: 'pull-request', job, url: pullRequest.url }
        : { result: 'no-pull-request', job, mayNotHaveBegun };
    case 'archived':
      return { result: 'archived', job, ...link };
    case 'active':
      return { result: 'running', job };
  }
}

/** How loudly a result is told; `failure` makes the step fail. */
export type Level = 'info' | 'notice' | 'warning' | 'failure';

/** The level of a result, given the results that the user wants to fail the step. */
export function levelOf(end: Result, failOn: ReadonlySet<FailOn>): Level {
  switch (end.result) {
    case 'pull-request':
    case 'running':
      return 'info';
    case 'no-pull-request':
      return failOn.has(end.result) ? 'failure' : 'notice';
    case 'failed':
    case 'archived':
    case 'timed-out':
      return failOn.has(end.result) ? 'failure' : 'warning';
    case 'skipped':
      return failOn.has(end.result) ? 'failure' : end.isLoud ? 'warning' : 'notice';
    case 'cancelled':
    case 'error':
      return 'failure';
  }
}
