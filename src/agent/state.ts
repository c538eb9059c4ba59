import type { StateStore } from '../common/state-store.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { AgentInputs } from './inputs.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { Result } from './result.ts';

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt;
  /** Login of the user who triggered the run; empty for scheduled runs. */
  readonly askedBy?: string;
  readonly job?: Job;
  /** When the job was started or first polled, on the monotonic clock. */
  readonly sinceMs?: number;
  /**
   * Link to the job's pull request, once the job has ended. Until then, the API may still return the
   * link from before a follow-up.
   */
  readonly link?: FoundLink;
  /** The job's pull request, if a token could read it. */
  readonly pullRequest?: PullRequest;
  readonly end?: End;
}

/** How the step ended. */
export interface End {
  readonly result: Result;
  /** The sentence that the log ends with. */
  readonly message: string;
  /** How long the step worked on the job; `undefined` without a job. */
  readonly tookMs: number | undefined;
}

export type AgentState = StateStore<State>;

/** Adds the job to the state. Fields that this response lacks keep their earlier values. */
export function learnJob(state: AgentState, job: Job): void {
  state.learn({ job: { ...job, ...knownBefore(job, state.current.job) } });
}

/** The optional fields of `job`, with earlier values for those that it lacks. */
function knownBefore(job: Job, before: Job | undefined): Partial<Job> {
  const { repository, ref, model, createdAt, archivedAt } = before ?? job;
  return {
    repository: job.repository || repository,
    ref: job.ref || ref,
    model: job.model || model,
    createdAt: job.createdAt || createdAt,
    archivedAt: job.archivedAt || archivedAt,
  };
}

/** Id of the step's job; empty before there is one. */
export function jobIdOf({ job, inputs }: Pick<State, 'job' | 'inputs'>): string {
  if (job !== undefined || inputs === undefined) {
    return job?.id ?? '';
  }
  return inputs.source.kind === 'create' ? '' : inputs.source.jobId;
}
