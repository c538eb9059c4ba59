import { UnreachableError } from '../../src/platform/errors.ts';
import type { Failure } from '../../src/platform/failure.ts';
import type { Job } from '../../src/platform/job.ts';
import type { JobResponse } from '../../src/platform/jobs.ts';

/** An active job, with what a test wants otherwise. */
export function job(fields: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    status: 'active',
    pullRequest: { kind: 'none' },
    repository: 'acme/docs',
    ref: 'docs-agent/job_1',
    model: 'model-1',
    createdAt: '2026-01-05T08:00:00Z',
    archivedAt: '',
    ...fields,
  };
}

/** The link of a job's pull request. */
export const pullRequest = {
  kind: 'link',
  url: 'https://github.com/acme/docs/pull/12',
  github: { repository: 'acme/docs', number: '12' },
} as const;

/** A response with the job. */
export function found(fields: Partial<Job> = {}): JobResponse {
  return { kind: 'job', job: job(fields) };
}

/** A request that failed: without a response, or as `fields` say. */
export function failed(fields: Partial<Failure> = {}): JobResponse {
  const error = new UnreachableError(`failure ${fields.status ?? 'without a response'}`, 'wait');
  return {
    kind: 'failure',
    failure: { error, isFromApi: false, didNothing: false, ...fields },
  };
}

/** The API's own refusal with a status. */
export function refused(status: number): JobResponse {
  return failed({ status, isFromApi: true, didNothing: true });
}
