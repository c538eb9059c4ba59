import { expect, it } from 'vitest';
import { annotations, startAttempts } from '../helpers/run.ts';
import { active, created, ended, jobBody, type Reply, refusal, reset } from '../helpers/servers.ts';

/*
 * Inside a composite action, and in two calls of one reusable workflow, GitHub gives each use of the action
 * the same run, job and step.
 */

const use = (prompt: string, more: Readonly<Record<string, string>> = {}) => ({
  inputs: { prompt, 'wait-minutes': '0', ...more },
});
const flag = use('Describe the new flag.');
const limit = use('Describe the new limit.');

const second: Reply = { status: 201, body: jobBody({ id: 'job_new' }) };
const third: Reply = { status: 201, body: jobBody({ id: 'job_third' }) };

/** The first job is active; the second one has the status. */
function jobs(status: string): Reply {
  return ({ url = '' }, response) => {
    const job = url.endsWith('/job_new') ? { id: 'job_new', status } : {};
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jobBody(job)));
  };
}

it.each(['active', 'failed'])(
  'a re-run continues with its own job, although another use has one that is %s',
  async (status) => {
    const { attempt, posts } = await startAttempts([created, second, jobs(status)]);
    await attempt(1, flag);
    await attempt(1, limit);
    const again = await attempt(2, flag);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_8f2', 'job-source': 'resumed' });
    expect(annotations(again, 'notice')).toEqual([]);
    expect(posts()).toBe(2);
  },
);

it('a re-run tells uses apart that differ in nothing but a variable', async () => {
  const describe = (what: string) => use('Describe {{what}}.', { variables: `what: ${what}` });
  const { attempt, posts } = await startAttempts([created, second, jobs('active')]);
  await attempt(1, describe('the new flag'));
  await attempt(1, describe('the new limit'));
  const again = await attempt(2, describe('the new flag'));
  expect(again.outputs).toMatchObject({ 'job-id': 'job_8f2', 'job-source': 'resumed' });
  expect(posts()).toBe(2);
});

it.each([
  ['active', 'is active'],
  ['completed', 'has completed'],
])(
  'a re-run that only finds the job of another prompt, %s, starts nothing',
  async (status, now) => {
    const { attempt, posts } = await startAttempts([created, ended(status)]);
    await attempt(1, limit);
    const again = await attempt(2, flag);
    expect(again.exitCode).toBe(1);
    expect(again.outputs).toMatchObject({
      result: 'error',
      reason: 'earlier-attempt-unknown',
      message: `Nothing was started, because attempt 1 of this run sent another prompt, and its job job_8f2 ${now}: to wait for that job, start a new run with job-id job_8f2 and no prompt; to send this prompt, start a new run with it; and if one run uses this action several times, give each use a name of its own in the input matrix.`,
    });
    expect(again.outputs['job-id'] ?? '').toBe('');
    expect(again.outputs['pr-link'] ?? '').toBe('');
    expect(posts()).toBe(1);
  },
);

it.each([
  ['failed', [ended('failed')]],
  ['was archived', [ended('archived')]],
  ['is unknown', [refusal(404), refusal(404), refusal(404)]],
])('a re-run starts a job, if that of another prompt %s', async (_name, replies) => {
  const { attempt, posts } = await startAttempts([created, ...replies, third]);
  await attempt(1, limit);
  const today = new Date(Date.now() + 61_000).toISOString();
  const again = await attempt(2, { ...flag, today });
  expect(again.outputs).toMatchObject({ 'job-id': 'job_third', 'job-source': 'created' });
  expect(posts()).toBe(2);
});

it('a re-run starts nothing, if a request with another prompt got no response', async () => {
  const { attempt, posts } = await startAttempts([reset]);
  await attempt(1, limit);
  const again = await attempt(2, flag);
  expect(again.outputs).toMatchObject({
    reason: 'earlier-attempt-unknown',
    message: expect.stringContaining(
      'attempt 1 of this run sent another prompt, and got no response, so a job may exist: to wait for that job, start a new run with its id in job-id and no prompt;',
    ),
  });
  expect(posts()).toBe(1);
});

it('a re-run sends no follow-up, if another one was sent to the same job', async () => {
  const toJob = { 'job-id': 'job_8f2' };
  const { attempt, posts } = await startAttempts([active, active, active]);
  await attempt(1, use('Shorter, please.', toJob));
  const again = await attempt(2, use('Add a table.', toJob));
  expect(again.outputs).toMatchObject({
    reason: 'earlier-attempt-unknown',
    message: expect.stringContaining('its job job_8f2 is active'),
  });
  expect(posts()).toBe(1);
});

it('a re-run whose job cannot be read does not take that of another prompt for its own', async () => {
  const { attempt, posts } = await startAttempts([created, refusal(403)]);
  await attempt(1, limit);
  const again = await attempt(2, flag);
  expect(again.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
  expect(again.outputs['job-id'] ?? '').toBe('');
  expect(posts()).toBe(1);
});

it('a re-run does not take the job that another use starts in the same attempt for an earlier one', async () => {
  const secondFailed = { status: 200, body: jobBody({ id: 'job_new', status: 'failed' }) };
  const script = [created, second, ended('failed'), third, secondFailed, created];
  const { attempt, posts } = await startAttempts(script);
  await attempt(1, flag);
  await attempt(1, limit);
  expect((await attempt(2, flag)).outputs['job-source']).toBe('created');
  expect((await attempt(2, limit)).outputs['job-source']).toBe('created');
  expect(posts()).toBe(4);
});
