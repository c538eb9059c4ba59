import { describe, expect, it } from 'vitest';
import { livingThread, runWithComment } from '../helpers/comment-run.ts';
import { type Attempts, startAttempts } from '../helpers/run.ts';
import { jobBody, type Reply, reset } from '../helpers/servers.ts';

/** A run whose prompt changes from attempt to attempt, because it asks for a file or for what another step says. */

const use = (prompt: string) => ({ inputs: { prompt, 'wait-minutes': '0' } });
const flag = use('Describe the new flag.');
const limit = use('Describe the new limit.');

/** An API whose POSTs create job_1, job_2 and so on, and that returns each with its status. */
function jobsWith(statuses: Readonly<Record<string, string>>): Reply {
  let created = 0;
  return ({ method, url = '' }, response) => {
    const isNew = method === 'POST';
    created += isNew ? 1 : 0;
    const id = isNew ? `job_${created}` : (url.split('/').at(-1) ?? '');
    response.writeHead(isNew ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jobBody({ id, status: isNew ? 'active' : statuses[id] })));
  };
}

/** The first prompt, then another one, then the first one again. */
async function threeAttempts({ attempt }: Attempts) {
  await attempt(1, flag);
  await attempt(2, limit);
  return await attempt(3, flag);
}

describe('a re-run with the first prompt again', () => {
  it.each([
    ['active', 'is active'],
    ['completed', 'has completed'],
  ])('starts nothing if the job of the prompt between is %s', async (status, now) => {
    const attempts = await startAttempts([jobsWith({ job_1: 'failed', job_2: status })]);
    const again = await threeAttempts(attempts);
    expect(again.outputs).toMatchObject({
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining(
        `attempt 2 of this run sent another prompt, and its job job_2 ${now}: `,
      ),
    });
    expect(attempts.posts()).toBe(2);
  });

  it('starts nothing if the prompt between got no response', async () => {
    const jobs = jobsWith({ job_1: 'failed' });
    let posts = 0;
    const attempts = await startAttempts([
      (request, response, body) => {
        posts += request.method === 'POST' ? 1 : 0;
        const reply = request.method === 'POST' && posts === 2 ? reset : jobs;
        if (typeof reply === 'function') {
          reply(request, response, body);
        }
      },
    ]);
    const again = await threeAttempts(attempts);
    expect(again.outputs).toMatchObject({
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining('attempt 2 of this run sent another prompt, and got no'),
    });
    expect(posts).toBe(2);
  });

  it('starts a job if both others have failed', async () => {
    const attempts = await startAttempts([jobsWith({ job_1: 'failed', job_2: 'failed' })]);
    const again = await threeAttempts(attempts);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_3', 'job-source': 'created' });
    expect(attempts.posts()).toBe(3);
  });

  it('resumes its own job, whatever the other does', async () => {
    const attempts = await startAttempts([jobsWith({ job_1: 'active', job_2: 'active' })]);
    await attempts.attempt(1, flag);
    const between = await attempts.attempt(2, limit);
    expect(between.outputs['reason']).toBe('earlier-attempt-unknown');
    const again = await attempts.attempt(3, flag);
    expect(again.outputs).toMatchObject({ 'job-id': 'job_1', 'job-source': 'resumed' });
  });
});

it('a re-run with a new prompt starts nothing, although the last record is of a use whose job failed', async () => {
  const thread = livingThread();
  const api = jobsWith({ job_1: 'active', job_2: 'failed' });
  const run = (attempt: string, prompt: string) =>
    runWithComment(thread.routes, { ...use(prompt), env: { GITHUB_RUN_ATTEMPT: attempt } }, [api]);
  await run('1', 'Describe the new flag.');
  await run('1', 'Describe the new limit.');
  const again = await run('2', 'Describe the new flag and its default.');
  expect(again.outputs).toMatchObject({
    reason: 'earlier-attempt-unknown',
    message: expect.stringContaining('sent another prompt, and its job job_1 is active'),
  });
});

it('a re-run resumes its job although the repository was renamed, and the runner names no id', async () => {
  const { attempt, posts } = await startAttempts([jobsWith({ job_1: 'active' })]);
  const named = (GITHUB_REPOSITORY: string) => ({ ...flag, env: { GITHUB_REPOSITORY } });
  await attempt(1, named('acme/product'));
  const again = await attempt(2, named('umbrella/product-2'));
  expect(again.outputs['job-source']).toBe('resumed');
  expect(posts()).toBe(1);
});
