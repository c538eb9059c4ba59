import { expect, it } from 'vitest';
import {
  failOnChoices,
  failOnDefault,
  levelOf,
  type Result,
  resultOfJob,
} from '../../../src/agent/result.ts';
import type { Job } from '../../../src/platform/job.ts';
import { job, pullRequest } from '../../helpers/agent.ts';

const link = pullRequest;
const unreadable = { kind: 'unreadable' } as const;
const noLink = {
  result: 'error',
  reason: 'unreadable-answer',
  message:
    'Mintlify ended job job_1 as completed, but sent no usable https link to its pull request: open the job in the dashboard.',
};

it.each<[Partial<Job>, object]>([
  [{ status: 'active', pullRequest }, { result: 'running' }],
  [
    { status: 'completed', pullRequest },
    { result: 'pull-request', link },
  ],
  [{ status: 'completed' }, { result: 'no-pull-request' }],
  [{ status: 'completed', pullRequest: unreadable }, noLink],
  [{ status: 'archived' }, { result: 'archived' }],
  [
    { status: 'archived', pullRequest },
    { result: 'archived', link },
  ],
  // How it ended matters more than a bad link.
  [{ status: 'archived', pullRequest: unreadable }, { result: 'archived' }],
  [{ status: 'failed' }, { result: 'failed' }],
  [
    { status: 'failed', pullRequest },
    { result: 'failed', link },
  ],
  [{ status: 'failed', pullRequest: unreadable }, { result: 'failed' }],
])('the result of a job: %j', (fields, result) => {
  const { job: _job, ...rest } = { job, ...resultOfJob(job(fields)) };
  expect(rest).toEqual(result);
});

const of = job();
const skipped = { result: 'skipped', reason: 'actor-not-allowed', message: 'No.' } as const;

it.each<[Result, byDefault: string, withNone: string, withAll: string]>([
  [{ result: 'pull-request', job: of, link }, 'info', 'info', 'info'],
  [{ result: 'no-pull-request', job: of }, 'notice', 'notice', 'failure'],
  [{ result: 'archived', job: of }, 'warning', 'warning', 'failure'],
  [{ result: 'failed', job: of }, 'failure', 'warning', 'failure'],
  [{ result: 'timed-out', job: of }, 'failure', 'warning', 'failure'],
  [{ result: 'running', job: of }, 'info', 'info', 'info'],
  [{ result: 'ready', facts: [] }, 'info', 'info', 'info'],
  [{ result: 'cancelled' }, 'failure', 'failure', 'failure'],
  [{ ...skipped, level: 'notice' }, 'notice', 'notice', 'failure'],
  [{ ...skipped, level: 'warning' }, 'warning', 'warning', 'failure'],
  [{ ...skipped, reason: 'nothing-changed', level: 'notice' }, 'notice', 'notice', 'notice'],
  [{ result: 'error', reason: 'forbidden', message: '' }, 'failure', 'failure', 'failure'],
])('the level of %j is by default %s, with none %s, with all %s', (result, ...levels) => {
  const sets = [failOnDefault, [], failOnChoices];
  expect(sets.map((failOn) => levelOf(result, new Set(failOn)))).toEqual(levels);
});
