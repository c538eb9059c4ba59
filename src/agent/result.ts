import { type ErrorResult, explainError, type Mistake } from '../common/explain-error.ts';
import type { SkippedResult } from '../common/reasons.ts';
import type { Job, JobStatus } from '../platform/job.ts';
import { CancelledError } from '../runner/errors.ts';
import type { Runner } from '../runner/step.ts';
import { mayHaveArrived, SendingError } from './job/start.ts';
import { jobIdOf, type State } from './state.ts';

/**
 * When a step was stopped: before anything was sent that starts work, while such a request may have
 * been under way, or while the job was polled.
 */
export type Phase = 'before' | 'sending' | 'waiting';

/** A mistake of our own, with all that is known of the job. */
export interface Breakdown extends Mistake {
  readonly result: 'error';
  readonly phase: Phase;
  /** Empty where no job is known. */
  readonly jobId: string;
  /** The job's last known status. */
  readonly lastStatus: JobStatus | undefined;
}

/** How the step ended, as the output `result` names it. */
export type Result =
  | { readonly result: 'pull-request'; readonly job: Job; readonly url: string }
  | { readonly result: 'no-pull-request'; readonly job: Job; readonly mayNotHaveBegun: boolean }
  | { readonly result: 'failed'; readonly job: Job; readonly url?: string }
  | { readonly result: 'archived'; readonly job: Job; readonly url?: string }
  | { readonly result: 'timed-out'; readonly job: Job; readonly lastProblem?: string }
  | { readonly result: 'running'; readonly job: Job }
  /** A dry run found nothing wrong. */
  | { readonly result: 'ready' }
  | { readonly result: 'cancelled'; readonly jobId: string; readonly phase: Phase }
  | SkippedResult
  | ErrorResult
  | Breakdown;

export type ResultName = Result['result'];

/** How loudly a result is reported; `failure` makes the step fail. */
export type Level = 'info' | 'notice' | 'warning' | 'failure';

/** How a result ends the step. */
interface Ending {
  readonly level: Level;
  /** Whether `fail-on` may name it, and whether its default does. */
  readonly failOn?: 'by-default' | 'on-request';
}

/** The one list of results: a new one gets its line here, and the compiler asks for the rest. */
const endings = {
  'pull-request': { level: 'info' },
  'no-pull-request': { level: 'notice', failOn: 'on-request' },
  failed: { level: 'warning', failOn: 'by-default' },
  archived: { level: 'warning', failOn: 'on-request' },
  'timed-out': { level: 'warning', failOn: 'by-default' },
  running: { level: 'info' },
  ready: { level: 'info' },
  cancelled: { level: 'failure' },
  skipped: { level: 'notice', failOn: 'on-request' },
  error: { level: 'failure' },
} as const satisfies Readonly<Record<ResultName, Ending>>;

export const resultNames = namesIn(endings);

/** Results that `fail-on` may name. */
export type FailOn = {
  [Name in ResultName]: (typeof endings)[Name] extends { failOn: string } ? Name : never;
}[ResultName];

export const failOnChoices = resultNames.filter(
  (name): name is FailOn => 'failOn' in endings[name],
);

/** What `fail-on` names where it is left out. */
export const failOnDefault = failOnChoices.filter((name) => endings[name].failOn === 'by-default');

/** The level of a result, given the results that the user wants to fail the step. */
export function levelOf(result: Result, failOn: ReadonlySet<FailOn>): Level {
  const failing: ReadonlySet<string> = failOn;
  if (failing.has(result.result)) {
    return 'failure';
  }
  return result.result === 'skipped' && result.isLoud ? 'warning' : endings[result.result].level;
}

/** Results that only their message explains. */
export function isExplained(
  result: Result,
): result is Result & { readonly result: 'error' | 'skipped' } {
  return result.result === 'error' || result.result === 'skipped';
}

/**
 * The result of a job's state. Pure and total.
 * @param mayNotHaveBegun whether a follow-up was sent whose work cannot be seen
 */
export function resultOfJob(job: Job, mayNotHaveBegun = false): Result {
  const { status, pullRequest } = job;
  const link = pullRequest.kind === 'link' ? { url: pullRequest.url } : {};
  if (status === 'failed') {
    return { result: 'failed', job, ...link };
  }
  if (pullRequest.kind === 'unreadable') {
    return {
      result: 'error',
      reason: 'unreadable-answer',
      message: `Mintlify ended job ${job.id} as ${status}, but sent no usable https link to its pull request: open the job in the dashboard.`,
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

/** The result of whatever the run threw; a cancelled run explains every error of its last moment. */
export function resultOfError(
  error: unknown,
  { signal, log }: Pick<Runner, 'signal' | 'log'>,
  state: State,
): Result {
  const jobId = jobIdOf(state);
  const phase = phaseOf(error, state);
  if (signal.reason instanceof CancelledError) {
    return { result: 'cancelled', jobId, phase };
  }
  // An error that nothing caught stops the run, and so explains all that the run threw after it.
  const thrown = error instanceof SendingError ? error.cause : error;
  const explained = explainError(signal.aborted ? signal.reason : thrown, log);
  return explained.reason === 'internal-error'
    ? { result: 'error', ...explained, phase, jobId, lastStatus: state.job?.status }
    : { result: 'error', ...explained };
}

function phaseOf(error: unknown, { sinceMs }: State): Phase {
  if (mayHaveArrived(error)) {
    return 'sending';
  }
  return sinceMs === undefined ? 'before' : 'waiting';
}

function namesIn<Table extends object>(table: Table): readonly (keyof Table)[] {
  return Object.keys(table).filter((name): name is keyof Table & string => name in table);
}
