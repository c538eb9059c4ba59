import { hasStatus, type Job, type JobStatus } from '../../platform/job.ts';
import type { PullRequestLink } from '../../platform/pull-request-link.ts';
import { sha256 } from '../../text/sha256.ts';

/** A follow-up, and the state of its job before that, in a form that is short enough for a record. */
export interface FollowUp {
  /** The job's status before the follow-up was sent; `undefined` if the API sent none. */
  readonly statusBefore: JobStatus | undefined;
  /** 12 digits of the SHA-256 of the link that the job had before, or of the word that says why it had no link. */
  readonly linkHash: string;
  /** The last commit of the job's pull request before the follow-up was sent; `undefined` if it is not known. */
  readonly headSha: string | undefined;
  /** Whether a poll, of this attempt or an earlier one, has shown the job active after the follow-up. */
  readonly wasActive: boolean;
}

/** A follow-up that has just been sent to a job. */
export function followUpOf(job: Job, headSha: string | undefined): FollowUp {
  return {
    statusBefore: hasStatus(job) ? job.status : undefined,
    linkHash: hashOf(job.pullRequest),
    headSha,
    wasActive: false,
  };
}

/** Whether status and link are as before the follow-up; false if the job got no follow-up. */
export function isAsBefore(followUp: FollowUp | undefined, job: Job): boolean {
  return (
    followUp !== undefined &&
    (followUp.statusBefore ?? job.status) === job.status &&
    hadLink(followUp, job.pullRequest)
  );
}

/** Whether no poll has seen the job active since the follow-up, so that the agent may not have begun. */
export function isUnseen(followUp: FollowUp | undefined): boolean {
  return followUp?.wasActive === false;
}

/** Whether the job had this link before the follow-up. */
export function hadLink({ linkHash }: FollowUp, link: PullRequestLink): boolean {
  return linkHash === hashOf(link);
}

function hashOf(link: PullRequestLink): string {
  const text = link.kind === 'link' ? link.url : link.kind;
  return sha256(text, 12);
}
