import type { ErrorResult, SkippedResult } from '../common/result.ts';
import { type FinalStatus, isFinal, type Job, type JobStatus } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Conclusion } from '../runner/step.ts';

/** One thing that a dry run found out, in sentences. */
export type Fact = readonly [name: string, text: string];

/** How the step ended, as the output `result` names it. */
export type Result =
  | { readonly result: 'pull-request'; readonly job: Job; readonly link: FoundLink }
  | { readonly result: 'no-pull-request'; readonly job: Job }
  /** The job ended with the status of this name. */
  | {
      readonly result: Exclude<FinalStatus, 'completed'>;
      readonly job: Job;
      readonly link?: FoundLink;
    }
  | { readonly result: 'timed-out'; readonly job: Job; readonly lastProblem?: string }
  | { readonly result: 'running'; readonly job: Job }
  /** A dry run came to the point where a real run would send something, or would be skipped. */
  | { readonly result: 'ready'; readonly facts: readonly Fact[] }
  | { readonly result: 'cancelled' }
  | SkippedResult
  | ErrorResult;

export type ResultName = Result['result'];

/** How a result ends the step. */
interface Ending {
  readonly level: Conclusion['level'];
  /** Stands in front of the report's heading. */
  readonly icon: string;
  /** Set if `fail-on` can include the result: `by-default`, or only `on-request`. */
  readonly failOn?: 'by-default' | 'on-request';
}

/** The list of results. To add one, start here: the compiler then reports the other places. */
export const endings = {
  'pull-request': { level: 'info', icon: '✅' },
  'no-pull-request': { level: 'notice', icon: 'ℹ️', failOn: 'on-request' },
  failed: { level: 'warning', icon: '❌', failOn: 'by-default' },
  archived: { level: 'warning', icon: '⚠️', failOn: 'on-request' },
  'timed-out': { level: 'warning', icon: '⏳', failOn: 'by-default' },
  running: { level: 'info', icon: '⏳' },
  ready: { level: 'info', icon: '✅' },
  cancelled: { level: 'failure', icon: '🛑' },
  skipped: { level: 'notice', icon: '⏭️', failOn: 'on-request' },
  error: { level: 'failure', icon: '❌' },
} as const satisfies Readonly<Record<ResultName, Ending>>;

export const resultNames = Object.keys(endings).filter(
  (name): name is ResultName => name in endings,
);

/** Results that `fail-on` can include. */
export type FailOn = {
  [Name in ResultName]: (typeof endings)[Name] extends { failOn: string } ? Name : never;
}[ResultName];

export const failOnChoices = resultNames.filter(
  (name): name is FailOn => 'failOn' in endings[name],
);

/** The default of `fail-on`. */
export const failOnDefault = failOnChoices.filter((name) => endings[name].failOn === 'by-default');

/** How a result is reported. `failOn` has the results that fail the step. */
export function levelOf(result: Result, failOn: ReadonlySet<FailOn>): Conclusion['level'] {
  const failing: ReadonlySet<string> = failOn;
  // A step that was skipped because nothing changed has done all there was to do, so it does not fail.
  const isComplete = result.result === 'skipped' && result.reason === 'nothing-changed';
  if (failing.has(result.result) && !isComplete) {
    return 'failure';
  }
  return result.result === 'skipped' ? result.level : endings[result.result].level;
}

interface StatusTraits {
  /** What a sentence says about the job; follows the job's id. */
  readonly now: string;
  /** What a sentence says of a job that had this status. */
  readonly past: string;
  /** Whether the agent gave up or was stopped. A re-run resumes no such job, but starts a new one. */
  readonly hasEndedBadly: boolean;
}

/** What each status means for the step. */
export const statusTraits: Readonly<Record<JobStatus, StatusTraits>> = {
  active: { now: 'is active', past: 'was active', hasEndedBadly: false },
  completed: { now: 'has completed', past: 'completed', hasEndedBadly: false },
  archived: { now: 'is archived', past: 'was archived', hasEndedBadly: true },
  failed: { now: 'has failed', past: 'failed', hasEndedBadly: true },
};

/** The result that follows from a job's state. Pure. */
export function resultOfJob(job: Job): Result {
  const { status, pullRequest } = job;
  if (!isFinal(status)) {
    return { result: 'running', job };
  }
  if (status !== 'completed') {
    return { result: status, job, ...(pullRequest.kind === 'link' && { link: pullRequest }) };
  }
  switch (pullRequest.kind) {
    case 'link':
      return { result: 'pull-request', job, link: pullRequest };
    case 'none':
      return { result: 'no-pull-request', job };
    case 'unreadable':
      return {
        result: 'error',
        reason: 'unreadable-answer',
        message: `Mintlify ended job ${job.id} as completed, but sent no usable https link to its pull request: open the job in the dashboard.`,
      };
  }
}
