import { describe, expect, it } from 'vitest';
import { annotations, startAttempts } from '../helpers/run.ts';
import {
  active,
  created,
  done,
  ended,
  jobBody,
  prLink,
  type Reply,
  refusal,
  reset,
  silence,
} from '../helpers/servers.ts';

const noWait = { inputs: { 'wait-minutes': '0' } };
const followUp = { inputs: { 'job-id': 'job_8f2', 'wait-minutes': '0' } };
const second = { status: 201, body: jobBody({ id: 'job_new' }) };

/** For an attempt that begins when every new job would be visible. */
const aMinuteLater = () => new Date(Date.now() + 61_000).toISOString();

describe.each(['v1', 'v2'] as const)('a re-run, with the cache service of %s', (protocol) => {
  it('continues with an active job', async () => {
    const { attempt, posts, cache } = await startAttempts([created, active, active, done], {
      protocol,
    });
    const first = await attempt(1, noWait);
    expect(first.outputs).toMatchObject({ result: 'running', 'job-source': 'created' });
    expect(cache.operations).toEqual(['reserve', 'upload', 'commit']);
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({
      result: 'pull-request',
      'job-id': 'job_8f2',
      'job-source': 'resumed',
      'pr-link': prLink,
    });
    expect(again.stdout).toContain(
      '::notice::Docs agent: resumed job job_8f2 of an earlier attempt in project acme.',
    );
    expect(annotations(again, 'warning')).toEqual([]);
    expect(posts()).toBe(1);
  });
});

describe('a re-run a moment after a follow-up', () => {
  it.each(['failed', 'archived', 'completed'])(
    'does not send it again to a job that was %s before',
    async (status) => {
      const before = ended(status);
      const { attempt, posts } = await startAttempts([
        before,
        before,
        before,
        before,
        active,
        done,
      ]);
      await attempt(1, followUp);
      const again = await attempt(2, { inputs: { 'job-id': 'job_8f2' } });
      expect(again.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'resumed' });
      expect(posts()).toBe(1);
    },
  );

  it('sends it again to one that failed in the meantime', async () => {
    const { attempt, posts } = await startAttempts([
      active,
      active,
      ended('failed'),
      ended('failed'),
      active,
    ]);
    await attempt(1, followUp);
    await attempt(2, { ...followUp, today: new Date(Date.now() + 121_000).toISOString() });
    expect(posts()).toBe(2);
  });
});

describe('a re-run', () => {
  it('hands on the pull request of a completed job', async () => {
    const { attempt, posts, api } = await startAttempts([created, done]);
    await attempt(1, noWait);
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({ result: 'pull-request', 'pr-link': prLink });
    expect(posts()).toBe(1);
    expect(api.calls.length).toBeLessThanOrEqual(3);
  });

  it('hands it on without waiting, too', async () => {
    const { attempt, posts } = await startAttempts([created, done]);
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(again.outputs).toMatchObject({ result: 'pull-request', status: 'completed' });
    expect(posts()).toBe(1);
  });

  it.each([
    ['failed', 'which failed'],
    ['archived', 'which was archived'],
  ])('starts a new job after one that %s', async (status, words) => {
    const { attempt, posts } = await startAttempts([created, ended(status), second, done]);
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_new', 'job-source': 'created' });
    expect(again.stdout).toContain(
      `Attempt 1 of this run ended with job job_8f2, ${words}: it is not resumed.`,
    );
    expect(posts()).toBe(2);
  });

  it('continues with the last job, not with the first', async () => {
    const { attempt, posts, api } = await startAttempts([created, ended('failed'), second, done]);
    await attempt(1, noWait);
    await attempt(2, noWait);
    await attempt(3, noWait);
    expect(api.calls.at(-1)).toContain('/job/job_new');
    expect(posts()).toBe(2);
  });

  it('starts a new job, with a warning, when the API does not know the old one', async () => {
    const unknown = refusal(404);
    const { attempt, posts } = await startAttempts([created, unknown, unknown, unknown, second]);
    await attempt(1, noWait);
    const again = await attempt(2, { ...noWait, today: aMinuteLater() });
    expect(annotations(again, 'warning')).toContain(
      'Attempt 1 of this run started job job_8f2, which Mintlify does not know any more: it is not resumed.',
    );
    expect(posts()).toBe(2);
  });

  it('starts nothing when a gateway answers in place of the API, and says that the job may run', async () => {
    const gateway = { status: 404, body: '<h1>Not found</h1>' };
    const { attempt, posts } = await startAttempts([created, gateway]);
    await attempt(1, noWait);
    const again = await attempt(2, { ...noWait, today: aMinuteLater() });
    expect(again.outputs).toMatchObject({ reason: 'unreadable-answer', 'job-id': 'job_8f2' });
    expect(posts()).toBe(1);
  });

  it('says that the job may run when it is cancelled while it asks for that', async () => {
    const cancel = new AbortController();
    const onCall = (call: string) => call.startsWith('GET') && cancel.abort();
    const { attempt, posts } = await startAttempts([created, silence], { onCall });
    await attempt(1, noWait);
    const again = await attempt(2, { ...noWait, today: aMinuteLater(), cancel: cancel.signal });
    expect(again.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
    expect(again.outputs['message']).toContain('Job job_8f2 may still run');
    expect(posts()).toBe(1);
  });

  it('waits for a job that was started a moment ago, and may not be visible yet', async () => {
    // Three in a row are what ends the search for a job that must be visible.
    const unknown = Array<Reply>(3).fill(refusal(404));
    const { attempt, posts } = await startAttempts([created, ...unknown, active]);
    await attempt(1, noWait);
    const again = await attempt(2, { ...noWait });
    expect(again.outputs).toMatchObject({ result: 'running', 'job-source': 'resumed' });
    expect(posts()).toBe(1);
  });

  it('waits no longer in all than wait-minutes, even if the job can only be read late', async () => {
    const { attempt, api } = await startAttempts([created, refusal(503), refusal(503), active]);
    await attempt(1, noWait);
    const inputs = { 'wait-minutes': '1', 'poll-interval-seconds': '20' };
    const again = await attempt(2, { inputs });
    expect(again.outputs).toMatchObject({ result: 'timed-out', 'job-source': 'resumed' });
    // Three to read the job in the first 40 s, then one at once and one at the deadline.
    expect(api.calls.filter((call) => call.startsWith('GET')).length).toBeLessThanOrEqual(5);
  });

  it('sends nothing when the first attempt got no response', async () => {
    const { attempt, posts } = await startAttempts([reset]);
    const first = await attempt(1);
    expect(first.outputs).toMatchObject({ reason: 'job-may-exist' });
    const again = await attempt(2);
    expect(again.outputs).toMatchObject({
      result: 'error',
      reason: 'job-may-exist',
      message:
        'Attempt 1 of this run got no response to its request: a job may exist, so look for it in the dashboard, and then start a new run, with its id in job-id to wait for it or without to start another one.',
    });
    expect(posts()).toBe(1);
  });

  it('does not send a follow-up again', async () => {
    const before = ended('completed', { prLink });
    const { attempt, posts } = await startAttempts([before, active, active]);
    await attempt(1, followUp);
    const again = await attempt(2, followUp);
    expect(again.outputs).toMatchObject({ result: 'running', 'job-source': 'resumed' });
    expect(posts()).toBe(1);
  });

  it('does not send a follow-up again that may have arrived', async () => {
    const { attempt, posts } = await startAttempts([done, reset]);
    await attempt(1, followUp);
    const again = await attempt(2, followUp);
    expect(again.outputs).toMatchObject({
      reason: 'job-may-exist',
      message: expect.stringContaining('Mintlify may have received the follow-up to job job_8f2'),
    });
    expect(posts()).toBe(1);
  });

  it('sends a follow-up to another job than the first attempt', async () => {
    const other = { status: 200, body: jobBody({ id: 'job_other' }) };
    const { attempt, posts } = await startAttempts([done, active, other, other]);
    await attempt(1, followUp);
    await attempt(2, { inputs: { ...followUp.inputs, 'job-id': 'job_other' } });
    expect(posts()).toBe(2);
  });

  it('continues with its job, although another attempt followed up on some job', async () => {
    const { attempt, posts } = await startAttempts([created, done, active, active]);
    await attempt(1, noWait);
    await attempt(2, followUp);
    const again = await attempt(3, noWait);
    expect(again.outputs['job-source']).toBe('resumed');
    expect(posts()).toBe(2);
  });

  it('continues with the job although a placeholder is filled differently, and says so', async () => {
    const { attempt, posts } = await startAttempts([created, active]);
    const about = (what: string) => ({
      inputs: { ...noWait.inputs, prompt: 'Describe {{what}}.', variables: `what: ${what}` },
    });
    await attempt(1, about('the new flag'));
    const again = await attempt(2, about('the new flag and its default'));
    expect(again.outputs['job-source']).toBe('resumed');
    expect(annotations(again, 'notice')).toEqual([
      'The prompt differs from the one that attempt 1 sent, and is not sent: job job_8f2 continues with the earlier one. To send the new prompt, start a new run.',
    ]);
    expect(posts()).toBe(1);
  });

  it('continues with the job although the same prompt comes from elsewhere', async () => {
    const { attempt, posts } = await startAttempts([created, active]);
    await attempt(1, { inputs: { ...noWait.inputs, prompt: 'Describe the new flag.' } });
    const variables = 'what: the new flag';
    const prompt = 'Describe {{what}}.';
    const again = await attempt(2, { inputs: { ...noWait.inputs, prompt, variables } });
    expect(again.outputs['job-source']).toBe('resumed');
    expect(annotations(again, 'notice')).toEqual([]);
    expect(posts()).toBe(1);
  });

  it('continues with the job although the repository was renamed', async () => {
    const { attempt, posts } = await startAttempts([created, active]);
    const named = (GITHUB_REPOSITORY: string) => ({
      ...noWait,
      env: { GITHUB_REPOSITORY, GITHUB_REPOSITORY_ID: '4711' },
    });
    await attempt(1, named('acme/product'));
    const again = await attempt(2, named('umbrella/product-2'));
    expect(again.outputs['job-source']).toBe('resumed');
    expect(posts()).toBe(1);
  });

  it('starts a new job when no attempt came that far', async () => {
    const { attempt, posts } = await startAttempts([refusal(401), created]);
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(again.outputs).toMatchObject({ 'job-source': 'created' });
    expect(annotations(again, 'warning')).toEqual([]);
    expect(again.stdout).toContain(
      'No record of an earlier attempt of this run was found: either none came so far that a job could be resumed, or its record is gone.',
    );
    expect(posts()).toBe(2);
  });

  it('starts a new job where on-rerun asks for that', async () => {
    const { attempt, posts, cache } = await startAttempts([created, second]);
    await attempt(1, noWait);
    const again = await attempt(2, { inputs: { ...noWait.inputs, 'on-rerun': 'new' } });
    expect(again.outputs).toMatchObject({ 'job-id': 'job_new' });
    expect(posts()).toBe(2);
    expect(cache.operations).not.toContain('find');
  });

  it('starts a job of its own in another leg of the matrix', async () => {
    const { attempt, posts } = await startAttempts([created, second]);
    const leg = (project: string) => ({
      inputs: { ...noWait.inputs, matrix: JSON.stringify({ project }) },
    });
    await attempt(1, leg('one'));
    await attempt(2, leg('two'));
    expect(posts()).toBe(2);
  });
});

it.skipIf(process.platform !== 'linux')(
  'a re-run continues with a job although the first attempt could write no outputs',
  async () => {
    const { attempt, posts } = await startAttempts([created, active]);
    const full = { ...noWait, env: { GITHUB_OUTPUT: '/dev/full' } };
    const first = await attempt(1, full);
    expect(first.exitCode).toBe(1);
    expect(first.stdout).toContain('ENOSPC');
    expect(first.summary).toContain('<code>job&#95;8f2</code>');
    await attempt(2, full);
    expect(posts()).toBe(1);
  },
);
