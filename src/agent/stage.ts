import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Access } from './access.ts';
import type { Found } from './earlier/find.ts';
import type { Saved } from './earlier/keep-record.ts';
import type { JobRecord } from './earlier/record.ts';
import type { AgentInputs } from './inputs.ts';
import type { PolledJob } from './job/polled-job.ts';
import type { Seen } from './job/progress.ts';
import type { Plan } from './plan.ts';
import type { Prompt } from './prompt/prompt.ts';
import type { Request } from './request.ts';
import type { Result } from './result.ts';

/** How far a run has come, with all that is known by then. Outputs, log and reports are made from the stage. */
export type Stage = Reached | Ended;

/** A stage before the end. If the run throws, the last stage says what the report knows. */
export type Reached = Before | Asking | Planned | Sending | Waiting;

/** Before the plan. `access`, `inputs` and `prompt` are added in this order. */
export interface Before {
  readonly at: 'before';
  readonly access?: Access;
  readonly inputs?: AgentInputs;
  readonly prompt?: Prompt | undefined;
}

/** The API is being asked for the job of an earlier attempt, which may be running. */
interface Asking extends Request {
  readonly at: 'asking';
  /** The record of that attempt. */
  readonly record: JobRecord;
}

/** The run has decided what to do. */
export interface Planned extends Request {
  readonly at: 'planned';
  readonly found: Found;
  readonly plan: Plan;
}

/** A request that starts paid work may be on its way. */
export interface Sending extends Omit<Planned, 'at'> {
  readonly at: 'sending';
  /** What a re-run has to know if there is no response. */
  readonly record: JobRecord;
  /** Whether the request got no response, and may have arrived all the same. */
  readonly mayHaveArrived: boolean;
}

/** The job exists. */
export interface Waiting extends Omit<Planned, 'at'> {
  readonly at: 'waiting';
  readonly started: PolledJob;
  /** What a re-run has to know; `undefined` if the step has sent nothing. */
  readonly record: JobRecord | undefined;
  readonly seen: Seen;
  /** `undefined` before the job has ended with a pull request. */
  readonly handedOver: HandedOver | undefined;
}

/** The step has ended. */
export interface Ended {
  readonly at: 'ended';
  readonly last: Reached;
  readonly result: Result;
  /**
   * Where the record of the step's job was saved, so that a re-run finds it. `unavailable`: this run has no store, has
   * nothing to save, or was told that a re-run is not to resume the job.
   */
  readonly saved: Saved;
  /** When the job was last asked for, or without a job, when the step ended; milliseconds since 1970. */
  readonly askedAtMs: number;
  /** How long the step worked on the job; `undefined` without a job. */
  readonly tookMs: number | undefined;
}

/** The pull request of a job that has ended, and what became of it, as far as that is known. */
export interface HandedOver {
  readonly link: FoundLink;
  /** `undefined` if no token could read the pull request. */
  readonly pullRequest: PullRequest | undefined;
  readonly work: Work;
  /** Sentences that the log has already shown as warnings. */
  readonly warnings: readonly string[];
}

/** What the job did with its pull request. */
export type Work =
  /** `instead` is the pull request that the job had before; `undefined` if it had none. */
  | { readonly kind: 'opened'; readonly instead: FoundLink | undefined }
  /** `url` is GitHub's page of the new commits. */
  | { readonly kind: 'continued'; readonly url: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'unknown' };

/** The job as people should see it; `undefined` before the API has returned it with the step's prompt. */
export function jobOf(stage: Reached): Job | undefined {
  return stage.at === 'waiting' ? stage.seen.job : undefined;
}

/** The id of the step's job; empty before the step has a job. */
export function jobIdOf(stage: Reached): string {
  switch (stage.at) {
    case 'before':
      return stage.inputs?.job.kind === 'id' ? stage.inputs.job.id : '';
    case 'asking':
      return stage.record.jobId;
    case 'planned':
    case 'sending':
      return plannedJobId(stage.plan);
    case 'waiting':
      return stage.started.id;
  }
}

function plannedJobId(plan: Plan): string {
  switch (plan.kind) {
    case 'new':
      return '';
    case 'resume':
      return plan.record.jobId;
    case 'continue':
    case 'wait':
    case 'nothing':
      return plan.jobId;
  }
}

/**
 * The link to the job's pull request, once the job has ended: until then, the API may still return the link
 * from before a follow-up. If the run found the job through its pull request, the link is known from the start.
 */
export function linkOf(stage: Reached): FoundLink | undefined {
  const isFound = 'plan' in stage && stage.plan.kind !== 'new';
  const found = isFound ? stage.found.pullRequest : undefined;
  return handedOverIn(stage)?.link ?? found?.link;
}

export function handedOverIn(stage: Reached): HandedOver | undefined {
  return stage.at === 'waiting' ? stage.handedOver : undefined;
}

/** The record that the step's comment and the cache keep for a re-run. */
export function recordOf(stage: Reached): JobRecord | undefined {
  switch (stage.at) {
    case 'before':
    case 'planned':
      return undefined;
    case 'sending':
      return stage.mayHaveArrived ? stage.record : undefined;
    case 'asking':
    case 'waiting':
      return stage.record;
  }
}
