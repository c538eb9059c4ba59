import type { PullRequestLink } from './pull-request-link.ts';

/** The one list of statuses, in the API's words. */
export const jobStatuses = ['active', 'completed', 'archived', 'failed'] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** An agent job, as far as we use it. Fields that the API left out or garbled are empty. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  /** The API's word for the status, if it is not in the list; `status` is then `active`. */
  readonly unknownStatus?: string;
  readonly pullRequest: PullRequestLink;
  /** `source.repository`: where the job works. */
  readonly repository: string;
  /** `source.ref`: the agent's own branch, not the one that its pull request is to be merged into. */
  readonly ref: string;
  readonly model: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly archivedAt: string;
}
