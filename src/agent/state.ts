import type { StateStore } from '../common/state-store.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Finding } from './dry-run/finding.ts';
import type { AgentInputs } from './inputs.ts';
import type { JobSourceKind } from './job/source.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { JobRecord } from './rerun/record.ts';
import type { Result } from './result.ts';

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt;
  /** Login of whoever triggered the run; empty for an event that nobody stands behind. */
  readonly askedBy?: string;
  /** Where the job came from, once that is certain. */
  readonly source?: JobSourceKind;
  readonly job?: Job;
  /** What a re-run needs to know. */
  readonly record?: JobRecord;
  /** Whether a re-run would find the record. */
  readonly isResumable?: boolean;
  /** When the job was started or first polled, on the monotonic clock. */
  readonly sinceMs?: number;
  /**
   * Link to the job's pull request, once the job has ended. Before that it may be the one of earlier
   * work, which a follow-up is to change.
   */
  readonly link?: FoundLink;
  /** The job's pull request, where a token could read it. */
  readonly pullRequest?: PullRequest;
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
  /** How long the step worked on the job; `undefined` when there was none. */
  readonly tookMs: number | undefined;
}

export type AgentState = StateStore<State>;

/** Takes in the job as the API returned it; what an earlier response told stays known. */
export function learnJob(state: AgentState, job: Job, news: State = {}): void {
  state.learn({ ...news, job: { ...job, ...knownBefore(job, state.current.job) } });
}

/** Fields that `job` lacks, as an earlier response told them. */
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

/** Id of the job that the step is about; empty before there is one. */
export function jobIdOf({ job, record, inputs }: Pick<State, 'job' | 'record' | 'inputs'>): string {
  const asked = inputs === undefined || inputs.source.kind === 'create' ? '' : inputs.source.jobId;
  return job?.id ?? (record?.jobId || asked);
}
