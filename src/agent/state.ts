import type { StateStore } from '../common/state-store.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Finding } from './dry-run/finding.ts';
import type { AgentInputs } from './inputs.ts';
import type { JobSourceKind } from './job/source.ts';
import type { Life } from './open-pull-request/life.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { JobRecord } from './rerun/record.ts';
import type { Result } from './result.ts';

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt;
  /** Login of the user who triggered the run; empty for scheduled runs. */
  readonly askedBy?: string;
  /** Where the job came from, once that is certain. */
  readonly source?: JobSourceKind;
  readonly job?: Job;
  /** Link to the pull request that the job had before the follow-up. */
  readonly linkBefore?: FoundLink;
  /** What a re-run needs to know. */
  readonly record?: JobRecord;
  /** Whether a re-run would find the record; `undefined` as long as that is not known. */
  readonly isResumable?: boolean;
  /** When the job was started or first polled, on the monotonic clock. */
  readonly sinceMs?: number;
  /**
   * Link to the job's pull request, once the job has ended: until then, the API may still return the link
   * from before a follow-up. Where the pull request led to the job, it is known from the start.
   */
  readonly link?: FoundLink;
  /** The job's pull request, if a token could read it. */
  readonly pullRequest?: PullRequest;
  /** How the pull request stands among those of earlier runs. */
  readonly life?: Life;
  /** What a dry run found, and the prompt as a real run would send it. */
  readonly findings?: readonly Finding[];
  readonly promptText?: string;
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
export function learnJob(state: AgentState, job: Job, news: State = {}): void {
  state.learn({ ...news, job: { ...job, ...knownBefore(job, state.current.job) } });
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
export function jobIdOf({ job, record, inputs }: Pick<State, 'job' | 'record' | 'inputs'>): string {
  const asked = inputs === undefined || inputs.source.kind === 'create' ? '' : inputs.source.jobId;
  return job?.id ?? (record?.jobId || asked);
}
