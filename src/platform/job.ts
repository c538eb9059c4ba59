import type { PullRequestLink } from './pull-request-link.ts';

/** All statuses, as the API spells them. */
export const jobStatuses = ['active', 'completed', 'archived', 'failed'] as const;

export type JobStatus = (typeof jobStatuses)[number];

/** The fields of an agent job that the action uses. Missing or invalid optional fields are empty. */
export interface Job {
  readonly id: string;
  readonly status: JobStatus;
  /** The API's status, if it is not in the list; `status` is then `active`. */
  readonly unknownStatus?: string;
  readonly pullRequest: PullRequestLink;
  /** `source.repository`: the repository that the agent works on. */
  readonly repository: string;
  /** `source.ref`: the agent's own branch, not the base of its pull request. */
  readonly ref: string;
  readonly model: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly archivedAt: string;
}
