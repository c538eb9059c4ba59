import type { JobDeps } from '../../src/agent/job/poll.ts';
import type { Failure } from '../../src/platform/failure.ts';
import type { Job, JobResponse } from '../../src/platform/job.ts';
import { ActionError } from '../../src/text/error.ts';

/** An active job, with changes. */
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

/** The link to a job's pull request. */
export const pullRequest = {
  kind: 'link',
  url: 'https://github.com/acme/docs/pull/12',
  github: { repository: 'acme/docs', number: '12' },
} as const;

const refuse = () => Promise.reject(new Error('not expected here'));

/** What starting and polling a job needs, with an API that expects no request. */
export function jobDeps(
  fields: Partial<JobDeps> & { readonly runner: JobDeps['runner'] },
): JobDeps {
  return {
    jobs: { create: refuse, followUp: refuse, get: refuse },
    pollIntervalMs: undefined,
    deadlineMs: fields.runner.clock.nowMs() + 30 * 60_000,
    ...fields,
  };
}

/** A response with the job. */
export function found(fields: Partial<Job> = {}): JobResponse {
  return { kind: 'job', job: job(fields) };
}

/** A failed request: without a response by default. */
export function failed(fields: Partial<Failure> = {}): JobResponse {
  const error = new ActionError(
    'unreachable',
    `failure ${fields.status ?? 'without a response'}`,
    'wait',
  );
  return {
    kind: 'failure',
    failure: { error, isFromApi: false, didNothing: false, ...fields },
  };
}

/** A refusal by the API itself with a status. */
export function refused(status: number): JobResponse {
  return failed({ status, isFromApi: true, didNothing: true });
}
