import { describe, expect, it } from 'vitest';
import { annotations, denied, startAttempts } from '../helpers/run.ts';
import { active, created, done, jobBody } from '../helpers/servers.ts';

/** The record of a run's job in the cache, where no comment can keep it. */

const noWait = { inputs: { 'wait-minutes': '0' } };
const second = { status: 201, body: jobBody({ id: 'job_new' }) };
const lost = (what: string) =>
  `The record of job job_8f2 could not be saved, because the cache is read-only for this run: re-running the workflow ${what}.`;

it.each([
  ['what a re-run does', {}, [created, active, done], [lost('starts a second job')]],
  [
    'what becomes of a follow-up',
    { 'job-id': 'job_8f2' },
    [done, active, active, done],
    [lost('sends the prompt to this job again')],
  ],
  ['nothing if a re-run is to start a new job', { 'on-rerun': 'new' }, [created, done], []],
])('where the cache is read-only, the step says %s', async (_name, inputs, script, warnings) => {
  const { attempt } = await startAttempts(script, { fault: denied });
  const result = await attempt(1, { inputs });
  expect(result.outputs['result']).toBe('pull-request');
  expect(annotations(result, 'warning')).toEqual(warnings);
});

it('says at its end what a re-run does', async () => {
  const inputs = { 'wait-minutes': '0.02' };
  const { attempt } = await startAttempts([created, active], {
    // It has the rest of the step's time, because the message depends on it.
    fault: (operation) => (operation === 'save' ? 'late' : undefined),
  });
  const saved = await attempt(1, { inputs });
  expect(saved.outputs['message']).toContain(
    'to get its result, re-run the workflow, or run this action with job-id job_8f2',
  );
  expect(saved.summary).toContain('To get its result, re-run the workflow, or run');
  expect(saved.summary).not.toContain('could not be saved in time');
  const broken = await startAttempts([created, active], { fault: denied });
  const unsaved = await broken.attempt(1, { inputs });
  expect(unsaved.summary).toContain('Re-running the workflow starts a second job.');
});

it('ends soon when it is cancelled while the cache service is silent', async () => {
  const cancel = new AbortController();
  const { attempt } = await startAttempts([created, active], {
    fault() {
      cancel.abort();
      return 'silence';
    },
  });
  const result = await attempt(1, { cancel: cancel.signal });
  expect(result.outputs).toMatchObject({ result: 'cancelled', 'job-id': 'job_8f2' });
});

/** A job's id as a record has it. */
const idOf = (text: string) => Buffer.from(text).toString('hex');

describe('a record', () => {
  it.each<[string, (own: string, other: string) => string]>([
    ['with another job', (own) => own.replace(idOf('job_8f2'), idOf('job_6e1'))],
    ['with another signature', (own) => own.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
    ['that is cut off', (own) => own.slice(0, -10)],
    ['without fields', (own) => own.slice(0, 84)],
    ['of another step, copied,', (own, other) => own.slice(0, 58) + other.slice(58)],
    ['that was signed with another key', (own) => own],
  ])('%s is not used', async (name, forge) => {
    const { attempt, posts, cache } = await startAttempts([created, created, second]);
    await attempt(1, { ...noWait, env: { GITHUB_ACTION: '__other' } });
    await attempt(1, noWait);
    const [other = '', own = ''] = cache.keys;
    cache.keys.push(forge(own, other));
    const key = name.includes('key') ? { 'api-key': 'mint_n3w-key' } : {};
    const again = await attempt(2, { inputs: { ...noWait.inputs, ...key } });
    expect(again.stdout).toContain('No record of an earlier attempt of this run was found: ');
    expect(again.outputs).toMatchObject({ 'job-id': 'job_new' });
    expect(posts()).toBe(3);
  });

  it('holds nothing of the prompt or the key', async () => {
    const { attempt, cache } = await startAttempts([created]);
    await attempt(1, noWait);
    expect(cache.keys).toEqual([
      expect.stringMatching(
        new RegExp(
          `^docs-agent-action-record-[\\da-f]{32}-[\\da-f]{12}-[\\da-f]{12}-1-true-\\d{13}-${idOf('job_8f2')}-[\\da-f]{64}$`,
        ),
      ),
    ]);
  });
});

describe('a re-run whose cache cannot be looked into', () => {
  it('starts a new job, with a warning, if there is none for the run', async () => {
    const { attempt, posts } = await startAttempts([created, second], { fault: denied });
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(annotations(again, 'warning')[0]).toBe(
      'Whether an earlier attempt of this run started a job is not known, because this run has no comment and no cache to look in: no job is resumed, and an earlier one may still be active.',
    );
    expect(posts()).toBe(2);
  });

  it('starts nothing if the cache service fails', async () => {
    const { attempt, posts } = await startAttempts([created], {
      fault: (operation) =>
        operation === 'find'
          ? { kind: 'failed', problem: 'the cache service failed (500)' }
          : undefined,
    });
    await attempt(1, noWait);
    const again = await attempt(2, noWait);
    expect(again.exitCode).toBe(1);
    expect(again.outputs).toMatchObject({
      result: 'error',
      reason: 'earlier-attempt-unknown',
      message:
        'Nothing was started, because an earlier attempt of this run may have started a job, and its record could not be read: the cache service failed (500); re-run the workflow later, or look for the job in the dashboard and then start a new run, with job-id to wait for that job or without to start another one.',
    });
    expect(posts()).toBe(1);
  });
});
