import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { AgentInputs } from './inputs.ts';
import { type OutputName, outputs } from './outputs.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { FailOn, Result } from './result.ts';

/**
 * What the step knows so far. It outlives an error: whatever happens, the step's end is reported with
 * everything that was known by then.
 */
export interface State {
  /** Results that make the step fail. */
  readonly failOn?: ReadonlySet<FailOn>;
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt;
  readonly job?: Job;
  /** When the job was started or first polled, on the monotonic clock. */
  readonly sinceMs?: number;
  /**
   * Link to the job's pull request, once the job has ended. Before that it may be the one of earlier
   * work, which a follow-up is to change.
   */
  readonly link?: FoundLink;
  /** The job's pull request, where a token could read it. */
  readonly pullRequest?: PullRequest;
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

/** Holds the state, and hands each output on as soon as it is known. Nothing else changes either. */
export interface StateStore {
  readonly current: State;
  learn(news: State): void;
  /** Takes in the job as the API returned it; what an earlier response told stays known. */
  learnJob(job: Job): void;
}

/** @param setOutput writes one output of the step at once */
export function createState(setOutput: (name: OutputName, value: string) => void): StateStore {
  let current: State = {};
  const written = new Map<OutputName, string>();

  const learn = (news: State): void => {
    current = { ...current, ...news };
    for (const [name, value] of outputs(current)) {
      if (value !== (written.get(name) ?? '')) {
        written.set(name, value);
        setOutput(name, value);
      }
    }
  };

  return {
    get current() {
      return current;
    },
    learn,
    learnJob: (job) => learn({ job: { ...job, ...knownBefore(job, current.job) } }),
  };
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
export function jobIdOf({ job, inputs }: Pick<State, 'job' | 'inputs'>): string {
  if (job !== undefined || inputs === undefined) {
    return job?.id ?? '';
  }
  return inputs.source.kind === 'create' ? '' : inputs.source.jobId;
}
