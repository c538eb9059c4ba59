import type { GitHub } from '../github/client.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';
import type { Clock } from '../runner/clock.ts';
import type { Commenter } from './commenter.ts';
import type { AgentInputs, FailOn } from './inputs.ts';
import type { Prompt } from './prompt/prompt.ts';

/**
 * What the step has come to know. It only grows, and it outlives an error: whatever happens, the
 * step's end is told with everything that was known by then.
 */
export interface Known {
  /** GitHub, to be closed at the end. */
  github?: GitHub;
  /** Results that make the step fail. */
  failOn?: ReadonlySet<FailOn>;
  inputs?: AgentInputs;
  prompt?: Prompt;
  job?: Job;
  /** When the job was started or first looked at, on the monotonic clock. */
  sinceMs?: number;
  /**
   * Link to the job's pull request, once the job is at its end. Before that it may be the one of
   * earlier work, which a follow-up is to change.
   */
  link?: FoundLink;
  /** The job's pull request, where a token could read it. */
  pullRequest?: PullRequest;
  /** The comment, once there is something to say. */
  comment?: Commenter | undefined;
}

/** How long the step has worked on the job, in milliseconds; `undefined` before there is one. */
export function timeTakenMs({ sinceMs }: Known, clock: Pick<Clock, 'nowMs'>): number | undefined {
  return sinceMs === undefined ? undefined : clock.nowMs() - sinceMs;
}

/** Id of the job that the step is about; empty before there is one. */
export function jobIdOf({ job, inputs }: Known): string {
  if (job !== undefined || inputs === undefined) {
    return job?.id ?? '';
  }
  return inputs.request.kind === 'create' ? '' : inputs.request.jobId;
}
