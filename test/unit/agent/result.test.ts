import { describe, expect, it } from 'vitest';
import { failOnChoices } from '../../../src/agent/inputs.ts';
import { type Ending, levelOf, toResult } from '../../../src/agent/result.ts';
import { UnreachableError } from '../../../src/platform/errors.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

const unreadable = { kind: 'unreadable' } as const;

function ended(fields: Parameters<typeof job>[0]): Ending {
  return { kind: 'ended', job: job(fields), mayNotHaveBegun: false };
}

function skipped(isLoud: boolean): Ending {
  return { kind: 'skipped', reason: 'actor-not-allowed', message: 'No.', isLoud };
}

describe('what became of the step', () => {
  it.each<[string, Ending, object]>([
    [
      'completed, pull request',
      ended({ status: 'completed', pullRequest }),
      { result: 'pull-request', url: pullRequest.url },
    ],
    [
      'completed, no pull request',
      ended({ status: 'completed' }),
      { result: 'no-pull-request', mayNotHaveBegun: false },
    ],
    ['archived', ended({ status: 'archived' }), { result: 'archived' }],
    [
      'archived with a pull request',
      ended({ status: 'archived', pullRequest }),
      { result: 'archived', url: pullRequest.url },
    ],
    ['failed', ended({ status: 'failed' }), { result: 'failed' }],
    [
      'failed with a pull request',
      ended({ status: 'failed', pullRequest }),
      { result: 'failed', url: pullRequest.url },
    ],
    [
      'failed beats a bad link',
      ended({ status: 'failed', pullRequest: unreadable }),
      { result: 'failed' },
    ],
    [
      'a bad link',
      ended({ status: 'completed', pullRequest: unreadable }),
      {
        result: 'error',
        reason: 'unreadable-answer',
        message: expect.stringContaining('job job_1'),
      },
    ],
    [
      'a bad link of an archived job',
      ended({ status: 'archived', pullRequest: unreadable }),
      { result: 'error', reason: 'unreadable-answer' },
    ],
    ['time spent', { kind: 'timed-out', job: job() }, { result: 'timed-out' }],
    [
      'time spent on failed looks',
      { kind: 'timed-out', job: job(), lastError: new UnreachableError('it is down', 'wait') },
      { result: 'timed-out', lastProblem: 'it is down' },
    ],
    ['ended, and yet at work', ended({ status: 'active' }), { result: 'running' }],
    ['not waited for', { kind: 'running', job: job() }, { result: 'running' }],
    [
      'cancelled',
      { kind: 'cancelled', jobId: 'job_1', phase: 'sending' },
      { result: 'cancelled', jobId: 'job_1', phase: 'sending' },
    ],
    [
      'skipped',
      skipped(true),
      { result: 'skipped', reason: 'actor-not-allowed', message: 'No.', isLoud: true },
    ],
    [
      'an error',
      { kind: 'error', reason: 'forbidden', message: 'No.' },
      { result: 'error', reason: 'forbidden', message: 'No.' },
    ],
  ])('%s', (_name, ending, result) => {
    expect(toResult(ending)).toMatchObject(result);
  });

  it.each(['failed', 'archived'] as const)('%s without a link names none', (status) => {
    expect(toResult(ended({ status }))).not.toHaveProperty('url');
  });
});

describe('how loudly it is told', () => {
  const byDefault = new Set(['failed', 'timed-out'] as const);
  const none = new Set<never>();
  const all = new Set(failOnChoices);

  it.each<[string, Ending, string, string, string]>([
    ['pull-request', ended({ status: 'completed', pullRequest }), 'info', 'info', 'info'],
    ['no-pull-request', ended({ status: 'completed' }), 'notice', 'notice', 'failure'],
    ['archived', ended({ status: 'archived' }), 'warning', 'warning', 'failure'],
    ['failed', ended({ status: 'failed' }), 'failure', 'warning', 'failure'],
    ['timed-out', { kind: 'timed-out', job: job() }, 'failure', 'warning', 'failure'],
    ['running', { kind: 'running', job: job() }, 'info', 'info', 'info'],
    [
      'cancelled',
      { kind: 'cancelled', jobId: 'job_1', phase: 'before' },
      'failure',
      'failure',
      'failure',
    ],
    ['skipped', skipped(false), 'notice', 'notice', 'failure'],
    ['skipped, loudly', skipped(true), 'warning', 'warning', 'failure'],
    ['error', { kind: 'error', reason: 'forbidden', message: '' }, 'failure', 'failure', 'failure'],
    [
      'a mistake of our own',
      {
        kind: 'error',
        reason: 'internal-error',
        errorName: 'TypeError',
        phase: 'before',
        jobId: '',
        lastStatus: undefined,
      },
      'failure',
      'failure',
      'failure',
    ],
  ])('%s: by default %4$s, with none %5$s, with all %6$s', (_name, ending, ...levels) => {
    const result = toResult(ending);
    expect([byDefault, none, all].map((failOn) => levelOf(result, failOn))).toEqual(levels);
  });
});
