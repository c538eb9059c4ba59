import { hasStatus, type Job, type JobStatus } from '../../platform/job.ts';
import type { PullRequestLink } from '../../platform/pull-request-link.ts';
import { sha256 } from '../../text/sha256.ts';

/** What a job was before it got a follow-up, as short as a record of an attempt can hold it. */
export interface StateBefore {
  /** `undefined` if the API sent no status that is known. */
  readonly status: JobStatus | undefined;
  /** 12 digits of the SHA-256 of the link to the job's pull request, or of the word that says why there is no link. */
  readonly linkHash: string;
  /** The last commit of the job's pull request; `undefined` if that is not known. */
  readonly headSha: string | undefined;
}

export function stateBefore(job: Job, headSha: string | undefined): StateBefore {
  return {
    status: hasStatus(job) ? job.status : undefined,
    linkHash: hashOf(job.pullRequest),
    headSha,
  };
}

/** Whether status and link are as before the follow-up; `before` is `undefined` if the job got no follow-up. */
export function isAsBefore(before: StateBefore | undefined, job: Job): boolean {
  return (
    before !== undefined &&
    (before.status ?? job.status) === job.status &&
    hadLink(before, job.pullRequest)
  );
}

/** Whether the job had this link already before the follow-up. */
export function hadLink({ linkHash }: StateBefore, link: PullRequestLink): boolean {
  return linkHash === hashOf(link);
}

function hashOf(link: PullRequestLink): string {
  const text = link.kind === 'link' ? link.url : link.kind;
  return sha256(text, 12);
}
