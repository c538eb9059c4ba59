import type { PullRequest } from '../github/pull-request.ts';
import type { Job } from '../platform/job.ts';

/** The outputs that tell of a job, by their names in action.yml. */
export interface JobOutputs {
  readonly 'job-id': string;
  readonly status: string;
  readonly 'pr-link': string;
  readonly 'pr-number': string;
  readonly 'pr-repository': string;
  readonly repository: string;
  readonly ref: string;
  readonly model: string;
  readonly 'created-at': string;
  readonly 'archived-at': string;
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

/** Everything that a job's state tells the next step. */
export function outputsOfJob(job: Job): JobOutputs {
  const { pullRequest } = job;
  const link = pullRequest.kind === 'link' ? pullRequest : undefined;
  return {
    'job-id': job.id,
    status: job.status,
    'pr-link': link?.url ?? '',
    'pr-number': link?.github?.number ?? '',
    'pr-repository': link?.github?.repository ?? '',
    repository: job.repository,
    ref: job.ref,
    model: job.model,
    'created-at': job.createdAt,
    'archived-at': job.archivedAt,
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
