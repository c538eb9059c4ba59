import type { PullRequestLink } from './pull-request-link.ts';

/** All statuses, as the API spells them. `isFinal`: a job with it has ended. */
const statuses = {
  active: { isFinal: false },
  completed: { isFinal: true },
  archived: { isFinal: true },
  failed: { isFinal: true },
} as const satisfies Readonly<Record<string, { readonly isFinal: boolean }>>;

export type JobStatus = keyof typeof statuses;

export const jobStatuses = Object.keys(statuses).filter(
  (name): name is JobStatus => name in statuses,
);

/** Whether a job with this status has ended. Only a follow-up makes it active again. */
export function isFinal(status: JobStatus): boolean {
  return statuses[status].isFinal;
}

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
