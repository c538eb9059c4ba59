import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';
import type { FoundLink } from '../platform/pull-request-link.ts';

/** The outputs that tell of a job, by their names in action.yml. */
export interface JobOutputs {
  readonly 'job-id': string;
  readonly status: string;
  readonly repository: string;
  readonly ref: string;
  readonly model: string;
  readonly 'created-at': string;
  readonly 'archived-at': string;
}

/** The outputs that tell where the job's pull request is. */
export interface LinkOutputs {
  readonly 'pr-link': string;
  readonly 'pr-number': string;
  readonly 'pr-repository': string;
}

/** The outputs that tell of the job's pull request. */
export interface PullRequestOutputs {
  readonly 'pr-title': string;
  readonly 'pr-branch': string;
  readonly 'pr-base': string;
  readonly 'pr-head-sha': string;
  readonly 'pr-changed-files': string;
}

/** The outputs that tell how the step ended. */
export interface EndOutputs {
  readonly result: string;
  readonly reason: string;
  readonly message: string;
  readonly 'duration-seconds': string;
}

/** What a job's state tells the next step, whatever state it is. */
export function outputsOfJob(job: Job): JobOutputs {
  return {
    'job-id': job.id,
    status: job.status,
    repository: job.repository,
    ref: job.ref,
    model: job.model,
    'created-at': job.createdAt,
    'archived-at': job.archivedAt,
  };
}

/** What the end of a job tells the next step. */
export function outputsOfLink({ url, github }: FoundLink): LinkOutputs {
  return {
    'pr-link': url,
    'pr-number': github?.number ?? '',
    'pr-repository': github?.repository ?? '',
  };
}

/** What the code host knows of the pull request. */
export function outputsOfPullRequest(pullRequest: PullRequest): PullRequestOutputs {
  return {
    'pr-title': pullRequest.title,
    'pr-branch': pullRequest.branch,
    'pr-base': pullRequest.base,
    'pr-head-sha': pullRequest.headSha,
    'pr-changed-files': String(pullRequest.changedFiles),
  };
}
