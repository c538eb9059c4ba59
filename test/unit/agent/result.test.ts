import { describe, expect, it } from 'vitest';
import {
  failOnChoices,
  failOnDefault,
  levelOf,
  type Phase,
  type Result,
  resultOfError,
  resultOfJob,
  SendingError,
} from '../../../src/agent/result.ts';
import { isFinal, jobStatuses } from '../../../src/platform/job.ts';
import { ActionError, CancelledError, inputError } from '../../../src/text/error.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import { job, pullRequest } from '../../helpers/jobs.ts';

const unreadable = { kind: 'unreadable' } as const;

describe('the result of a job', () => {
  it.each<[string, Parameters<typeof job>[0], object]>([
    [
      'completed, pull request',
      { status: 'completed', pullRequest },
      { result: 'pull-request', url: pullRequest.url },
    ],
    [
      'completed, no pull request',
      { status: 'completed' },
      { result: 'no-pull-request', mayNotHaveBegun: false },
    ],
    ['archived', { status: 'archived' }, { result: 'archived' }],
    [
      'archived with a pull request',
      { status: 'archived', pullRequest },
      { result: 'archived', url: pullRequest.url },
    ],
    ['failed', { status: 'failed' }, { result: 'failed' }],
    [
      'failed with a pull request',
      { status: 'failed', pullRequest },
      { result: 'failed', url: pullRequest.url },
    ],
    [
      'failed, which matters more than a bad link',
      { status: 'failed', pullRequest: unreadable },
      { result: 'failed' },
    ],
    [
      'a bad link',
      { status: 'completed', pullRequest: unreadable },
      {
        result: 'error',
        reason: 'unreadable-answer',
        message: expect.stringContaining('job job_1'),
      },
    ],
    [
      'a bad link of an archived job',
      { status: 'archived', pullRequest: unreadable },
      { result: 'error', reason: 'unreadable-answer' },
    ],
    ['active', { status: 'active' }, { result: 'running' }],
  ])('%s', (_name, fields, result) => {
    expect(resultOfJob(job(fields))).toMatchObject(result);
  });

  it.each(jobStatuses)(
    '%s is "running" unless src/platform/job.ts says that it is final',
    (status) => {
      expect(resultOfJob(job({ status })).result === 'running').toBe(!isFinal(status));
    },
  );

  it.each(['failed', 'archived'] as const)('%s without a link names none', (status) => {
    expect(resultOfJob(job({ status }))).not.toHaveProperty('url');
  });

  it('without a pull request says that the agent may not have started on a follow-up', () => {
    expect(resultOfJob(job({ status: 'completed' }), true)).toMatchObject({
      mayNotHaveBegun: true,
    });
  });
});

function skipped(level: 'notice' | 'warning'): Result {
  return { result: 'skipped', reason: 'actor-not-allowed', message: 'No.', level };
}

describe('the level of a result', () => {
  const none = new Set<never>();

  const of = job();
  const { url } = pullRequest;

  it.each<[string, string, string, string, Result]>([
    ['pull-request', 'info', 'info', 'info', { result: 'pull-request', job: of, url }],
    [
      'no-pull-request',
      'notice',
      'notice',
      'failure',
      { result: 'no-pull-request', job: of, mayNotHaveBegun: false },
    ],
    ['archived', 'warning', 'warning', 'failure', { result: 'archived', job: of }],
    ['failed', 'failure', 'warning', 'failure', { result: 'failed', job: of }],
    ['timed-out', 'failure', 'warning', 'failure', { result: 'timed-out', job: of }],
    ['running', 'info', 'info', 'info', { result: 'running', job: of }],
    ['cancelled', 'failure', 'failure', 'failure', { result: 'cancelled', phase: 'before' }],
    ['skipped', 'notice', 'notice', 'failure', skipped('notice')],
    ['skipped, with a warning', 'warning', 'warning', 'failure', skipped('warning')],
    [
      'error',
      'failure',
      'failure',
      'failure',
      { result: 'error', reason: 'forbidden', message: '' },
    ],
    [
      'a mistake of our own',
      'failure',
      'failure',
      'failure',
      {
        result: 'error',
        reason: 'internal-error',
        errorName: 'TypeError',
        phase: 'before',
      },
    ],
  ])(
    '%s: by default %s, with none %s, with all %s',
    (_name, byDefault, withNone, withAll, result) => {
      const sets = [new Set(failOnDefault), none, new Set(failOnChoices)];
      const levels = sets.map((failOn) => levelOf(result, failOn));
      expect(levels).toEqual([byDefault, withNone, withAll]);
    },
  );
});

describe('the result of an error', () => {
  function resultOf(error: unknown, phase: Phase, stoppedBy?: unknown) {
    const runner = fakeRunner();
    if (stoppedBy !== undefined) {
      runner.stop(stoppedBy);
    }
    return { result: resultOfError(error, phase, runner), told: runner.told };
  }

  it.each<[Error, string, string]>([
    [inputError('prompt', 'is blank', 'write'), 'bad-input', 'Input prompt is blank: write.'],
    [new ActionError('forbidden', 'it said no', 'ask'), 'forbidden', 'It said no: ask.'],
    [
      new ActionError('job-may-exist', 'it fell silent', 'look'),
      'job-may-exist',
      'It fell silent: look.',
    ],
    [
      new SendingError('stopped', { cause: new ActionError('forbidden', 'it said no', 'ask') }),
      'forbidden',
      'It said no: ask.',
    ],
  ])('%o is an error with its own message', (error, reason, message) => {
    expect(resultOf(error, 'waiting')).toEqual({
      result: { result: 'error', reason, message },
      told: [],
    });
  });

  const mistake = new TypeError('a secret detail');
  const stopped = new SendingError('stopped', { cause: mistake });

  it.each<[Error, Phase]>([
    [mistake, 'before'],
    [stopped, 'sending'],
    [mistake, 'waiting'],
  ])('that nobody foresaw is a mistake: %o %s', (error, phase) => {
    const { result, told } = resultOf(error, phase);
    expect(result).toEqual({
      result: 'error',
      reason: 'internal-error',
      errorName: 'TypeError',
      phase,
    });
    expect(told).toEqual([expect.stringMatching(/^debug: TypeError: a secret detail\n +at /)]);
  });

  it('that is uncaught explains everything that is thrown after it', () => {
    const { result, told } = resultOf(
      new ActionError('forbidden', 'it said no', 'ask'),
      'before',
      mistake,
    );
    expect(result).toMatchObject({ reason: 'internal-error', errorName: 'TypeError' });
    expect(told.join()).toContain('a secret detail');
  });

  it.each<[Error, Phase]>([
    [mistake, 'before'],
    [stopped, 'sending'],
    [new ActionError('job-may-exist', 'it fell silent', 'look'), 'sending'],
    [new ActionError('forbidden', 'it said no', 'ask'), 'waiting'],
  ])('of a cancelled run is "cancelled" for every error: %o %s', (error, phase) => {
    const cancelled = new CancelledError('received SIGINT');
    expect(resultOf(error, phase, cancelled)).toEqual({
      result: { result: 'cancelled', phase },
      told: [],
    });
  });
});
