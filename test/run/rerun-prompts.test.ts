import { describe, expect, it } from 'vitest';
import { annotations, runWithComment, startAttempts } from '../helpers/run.ts';
import {
  active,
  created,
  ended,
  livingJobs,
  livingThread,
  type Reply,
  refusal,
  reset,
} from '../helpers/servers.ts';

/*
 * Several prompts in one run. They may be several uses of the action: inside a composite action, and in two
 * calls of one reusable workflow, GitHub gives each use the same run, job and step. Or the prompt changed
 * from attempt to attempt, because it asks for a file or for what another step says.
 */

const use = (prompt: string, more: Readonly<Record<string, string>> = {}) => ({
  inputs: { prompt, 'wait-minutes': '0', ...more },
});
const flag = use('Describe the new flag.');
const limit = use('Describe the new limit.');

/** For an attempt that begins when every new job would be visible. */
const later = { today: new Date(Date.now() + 3_600_000).toISOString() };

describe('several uses', () => {
  it.each([
    ['active', flag, limit],
    ['failed', flag, limit],
    [
      'active, and differ in nothing but a variable',
      use('Describe {{what}}.', { variables: 'what: the new flag' }),
      use('Describe {{what}}.', { variables: 'what: the new limit' }),
    ],
  ])('a re-run continues with its own job, although the other is %s', async (name, one, other) => {
    const jobs = livingJobs({ job_2: name.slice(0, 6) });
    const { attempt, posts } = await startAttempts([jobs]);
    await attempt(1, one);
    await attempt(1, other);
    const again = await attempt(2, one);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_1', 'job-source': 'resumed' });
    expect(annotations(again, 'notice')).toEqual([]);
    expect(posts()).toBe(2);
  });

  it('do not take the job that another use starts in the same attempt for an earlier one', async () => {
    const { attempt } = await startAttempts([livingJobs({ job_1: 'failed', job_2: 'failed' })]);
    for (const [number, step, id] of [
      [1, flag, 'job_1'],
      [1, limit, 'job_2'],
      [2, flag, 'job_3'],
      [2, limit, 'job_4'],
    ] as const) {
      expect((await attempt(number, step)).outputs).toMatchObject({
        'job-source': 'created',
        'job-id': id,
      });
    }
  });
});

describe('a re-run with another prompt', () => {
  const advice =
    'to wait for that job, start a new run with job-id job_8f2 and no prompt; to send this prompt, start a new run with it; and if one run uses this action several times, give each use a name of its own in the input matrix.';
  const unknown = advice.replace('job-id job_8f2', 'its id in job-id');

  it.each<[string, readonly Reply[], string, string]>([
    ['is active', [created, ended('active')], 'and its job job_8f2 is active', advice],
    ['completed', [created, ended('completed')], 'and its job job_8f2 has completed', advice],
    ['may exist', [reset], 'and got no response, so a job may exist', unknown],
  ])('starts nothing, if the job of the earlier one %s', async (_name, script, what, then) => {
    const { attempt, posts } = await startAttempts(script);
    await attempt(1, limit);
    const again = await attempt(2, flag);
    expect(again.exitCode).toBe(1);
    expect(again.outputs).toMatchObject({
      result: 'error',
      reason: 'earlier-attempt-unknown',
      message: `Nothing was started, because attempt 1 of this run sent another prompt, ${what}: ${then}`,
    });
    expect(again.outputs['job-id'] ?? '').toBe('');
    expect(again.outputs['pr-link'] ?? '').toBe('');
    expect(posts()).toBe(1);
  });

  it.each([
    ['failed', [ended('failed')]],
    ['was archived', [ended('archived')]],
    ['is unknown', [refusal(404), refusal(404), refusal(404)]],
  ])('starts a job, if that of the earlier one %s', async (_name, replies) => {
    const { attempt, posts } = await startAttempts([created, ...replies, created]);
    await attempt(1, limit);
    const again = await attempt(2, { ...flag, ...later });
    expect(again.outputs).toMatchObject({ 'job-source': 'created' });
    expect(posts()).toBe(2);
  });

  it('sends no follow-up, if another one was sent to the same job', async () => {
    const toJob = { 'job-id': 'job_8f2' };
    const { attempt, posts } = await startAttempts([active]);
    await attempt(1, use('Shorter, please.', toJob));
    const again = await attempt(2, use('Add a table.', toJob));
    expect(again.outputs).toMatchObject({
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining('its job job_8f2 is active'),
    });
    expect(posts()).toBe(1);
  });

  it('does not take a job that cannot be read for its own', async () => {
    const { attempt, posts } = await startAttempts([created, refusal(403)]);
    await attempt(1, limit);
    const again = await attempt(2, flag);
    expect(again.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
    expect(again.outputs['job-id'] ?? '').toBe('');
    expect(posts()).toBe(1);
  });

  it('starts nothing, although the last record is of a use whose job failed', async () => {
    const { routes } = livingThread();
    const api = livingJobs({ job_2: 'failed' });
    const run = (GITHUB_RUN_ATTEMPT: string, step: typeof flag) =>
      runWithComment(routes, { ...step, env: { GITHUB_RUN_ATTEMPT } }, [api]);
    await run('1', flag);
    await run('1', limit);
    const again = await run('2', use('Describe the new flag and its default.'));
    expect(again.outputs).toMatchObject({
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining('sent another prompt, and its job job_1 is active'),
    });
  });
});

describe('a re-run with the first prompt again', () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    [
      'starts nothing if the job of the prompt between is active',
      { job_1: 'failed', job_2: 'active' },
      {
        reason: 'earlier-attempt-unknown',
        message: expect.stringContaining(
          'attempt 2 of this run sent another prompt, and its job job_2 is active: ',
        ),
      },
    ],
    [
      'starts a job if both others have failed',
      { job_1: 'failed', job_2: 'failed' },
      { 'job-id': 'job_3', 'job-source': 'created' },
    ],
  ])('%s', async (_name, statuses, outputs) => {
    const { attempt } = await startAttempts([livingJobs(statuses)]);
    await attempt(1, flag);
    await attempt(2, limit);
    expect((await attempt(3, flag)).outputs).toMatchObject(outputs);
  });

  it('resumes its own job, although one between could start none', async () => {
    const { attempt } = await startAttempts([livingJobs()]);
    await attempt(1, flag);
    expect((await attempt(2, limit)).outputs['reason']).toBe('earlier-attempt-unknown');
    const again = await attempt(3, flag);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_1', 'job-source': 'resumed' });
  });
});
