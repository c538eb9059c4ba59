import type { StateStore } from '../common/state-store.ts';
import type { GitHub } from '../github/client.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Runner } from '../runner/runner.ts';
import type { Access } from './access.ts';
import type { JobRecord } from './earlier/record.ts';
import type { Finding } from './finding.ts';
import type { AgentInputs } from './inputs.ts';
import type { JobSource } from './job/start.ts';
import type { Plan } from './plan.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { Result } from './result.ts';

/**
 * What the step knows so far: facts, from which the outputs and all reports are made. Fields are replaced, and
 * only removed where a new job is started instead of a follow-up that the API refuses.
 */
export interface State {
  /** Who triggered the run, whether or not they may start a job. */
  readonly access?: Access;
  readonly isDryRun?: boolean;
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt;
  /** What the run does, once that is decided. */
  readonly plan?: Plan;
  /** Where the job came from, once that is certain. */
  readonly source?: JobSource;
  readonly job?: Job | undefined;
  /** What a re-run needs to know. */
  readonly record?: JobRecord;
  /** Whether a re-run would find the record; `undefined` as long as that is not known. */
  readonly isResumable?: boolean;
  /** When the job was started or first polled, on the monotonic clock. */
  readonly sinceMs?: number;
  /** Link to the pull request that the job had before. */
  readonly linkBefore?: FoundLink;
  /**
   * Link to the job's pull request, once the job has ended: until then, the API may still return the link
   * from before a follow-up. Where the pull request led to the job, it is known from the start.
   */
  readonly link?: FoundLink | undefined;
  /** The job's pull request, if a token could read it. */
  readonly pullRequest?: PullRequest;
  /** What the job made of a pull request that lives on from run to run. */
  readonly round?: Round;
  /** What a dry run found. */
  readonly findings?: readonly Finding[];
  readonly end?: End;
}

/** What a job made of a pull request that lives on from run to run. */
export interface Round {
  /** How many runs have worked on the pull request, if our comment tells. */
  readonly count?: number;
  /** Whether this run added nothing. */
  readonly isUnchanged?: boolean;
  /** GitHub's page of what this run added. */
  readonly changesUrl?: string;
  /** What the log has warned of, such as lost commits. */
  readonly warnings: readonly string[];
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

/** What every part of a run works with. */
export interface AgentDeps {
  readonly runner: Runner;
  readonly state: AgentState;
  readonly github: GitHub;
}

/** The job with earlier values for the optional fields that this response lacks. */
export function withFieldsOf(earlier: Job | undefined, job: Job): Job {
  const { repository, ref, model, createdAt, archivedAt } = earlier ?? job;
  return {
    ...job,
    repository: job.repository || repository,
    ref: job.ref || ref,
    model: job.model || model,
    createdAt: job.createdAt || createdAt,
    archivedAt: job.archivedAt || archivedAt,
  };
}

/** Id of the step's job; empty before there is one. */
export function jobIdOf({ job, record, plan, inputs }: State): string {
  const planned = plan !== undefined && 'jobId' in plan ? plan.jobId : '';
  const asked = inputs?.job.kind === 'id' ? inputs.job.id : '';
  return job?.id || record?.jobId || planned || asked;
}

/**
 * What the run sends, or an earlier attempt sent: a new job, a follow-up, or nothing, if it only waits for a
 * job.
 */
export function sentBy({
  plan,
  inputs,
}: Pick<State, 'plan' | 'inputs'>): 'new' | 'follow-up' | 'nothing' | undefined {
  if (plan?.kind === 'resume') {
    return plan.record.sent;
  }
  if (plan?.kind === 'continue') {
    return 'follow-up';
  }
  if (inputs === undefined) {
    return undefined;
  }
  if (inputs.prompt === undefined) {
    return 'nothing';
  }
  return inputs.job.kind === 'new' ? 'new' : 'follow-up';
}
