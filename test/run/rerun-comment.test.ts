import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { githubClient } from '../../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { startCacheService } from '../../sandbox/runner/cache-service.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { livingThread, runWithComment, sealedIn, working } from '../helpers/comment-run.ts';
import {
  annotations,
  type EventRun,
  readEvent,
  runOnEvent,
  startAttempts,
} from '../helpers/run.ts';
import {
  active,
  commentsPath,
  created,
  done,
  ended,
  jobBody,
  prLink,
  type Reply,
  scriptedGitHub,
} from '../helpers/servers.ts';

/** The comment is the record of a run that writes one; there is no cache service here. */

let sandbox: Sandbox;
let issues = 0;
/** Whether the response to the next POST gets lost. */
let losesResponse = false;

beforeAll(async () => {
  sandbox = await startSandbox({
    workMs: 300,
    pickUpMs: 50,
    intercept: ({ method }) =>
      losesResponse && method === 'POST' ? 'lose the response' : undefined,
  });
});

afterAll(() => sandbox.close());

const numbered = v.object({ number: v.number() });

async function openIssue(): Promise<number> {
  issues += 1;
  const client = githubClient(sandbox.github.url, sandbox.github.tokens.stranger);
  const path = `/repos/${PRODUCT_REPOSITORY}/issues`;
  return (await client.request('POST', path, numbered, { title: `Issue ${issues}` })).number;
}

/** Runs the step on the label of an issue, without waiting, as an attempt of a run. */
function attempt(issue: number, number: number, step: Partial<EventRun> & { run?: string } = {}) {
  const event = Object(readEvent('issues-labeled-by-owner'));
  const { run = '1001', ...rest } = step;
  return runOnEvent({
    eventName: 'issues',
    event: { ...event, issue: { ...event.issue, number: issue } },
    actor: 'maintainer',
    githubUrl: sandbox.github.url,
    token: sandbox.github.tokens.actions,
    baseUrl: sandbox.url,
    ...rest,
    env: { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: String(number), ...rest.env },
    inputs: {
      prompt: 'Mention --watch. [sandbox: slow 20s]',
      'wait-minutes': '0',
      'api-key': sandbox.apiKey,
      'project-id': sandbox.projectId,
      ...rest.inputs,
    },
  });
}

const listed = v.array(v.object({ id: v.number(), body: v.string() }));

async function comments(issue: number) {
  const client = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
  const path = `/repos/${PRODUCT_REPOSITORY}/issues/${issue}/comments`;
  return await client.request('GET', path, listed);
}

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('the comment', () => {
  it('leads a re-run to its job', async () => {
    const issue = await openIssue();
    const first = await attempt(issue, 1);
    const again = await attempt(issue, 2);
    expect(again.outputs).toMatchObject({
      'job-id': first.outputs['job-id'],
      'job-source': 'resumed',
    });
    expect(annotations(again, 'warning')).toEqual([]);
    expect(await comments(issue)).toHaveLength(1);
  });

  it('leads a re-run to its own job, although another run was there since', async () => {
    const issue = await openIssue();
    const first = await attempt(issue, 1);
    const other = await attempt(issue, 1, { run: '1002' });
    expect(other.outputs['job-id']).not.toBe(first.outputs['job-id']);
    const again = await attempt(issue, 2);
    expect(again.outputs['job-id']).toBe(first.outputs['job-id']);
    const otherAgain = await attempt(issue, 2, { run: '1002' });
    expect(otherAgain.outputs['job-id']).toBe(other.outputs['job-id']);
    expect(await comments(issue)).toHaveLength(1);
  });

  it('that two steps share leads each to what it did itself', async () => {
    const issue = await openIssue();
    const first = await attempt(issue, 1);
    const inputs = { prompt: 'Shorter, please.', 'job-id': first.outputs['job-id'] ?? '' };
    const step = { inputs, env: { GITHUB_ACTION: '__second' } };
    await attempt(issue, 1, step);
    const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
    const before = posts();
    expect((await attempt(issue, 2)).outputs['job-source']).toBe('resumed');
    expect((await attempt(issue, 2, step)).outputs['job-source']).toBe('resumed');
    expect(posts()).toBe(before);
  });

  it('that two uses with different prompts share leads each to its own job', async () => {
    const issue = await openIssue();
    const use = (prompt: string) => ({ inputs: { prompt: `${prompt} [sandbox: slow 20s]` } });
    const first = await attempt(issue, 1, use('Mention --watch.'));
    const other = await attempt(issue, 1, use('Mention --quiet.'));
    const again = await attempt(issue, 2, use('Mention --watch.'));
    expect(again.outputs['job-id']).toBe(first.outputs['job-id']);
    const otherAgain = await attempt(issue, 2, use('Mention --quiet.'));
    expect(otherAgain.outputs['job-id']).toBe(other.outputs['job-id']);
  });

  it('tells a re-run that a job may exist', async () => {
    const issue = await openIssue();
    losesResponse = true;
    const first = await attempt(issue, 1);
    losesResponse = false;
    expect(first.outputs['reason']).toBe('job-may-exist');
    expect((await comments(issue))[0]?.body).toContain('a job may exist');
    const again = await attempt(issue, 2);
    expect(again.outputs['reason']).toBe('job-may-exist');
    expect(again.outputs['message']).toContain('Attempt 1 of this run got no response');
  });

  it('of somebody else, with our marker changed, is not used', async () => {
    const issue = await openIssue();
    const first = await attempt(issue, 1);
    const client = githubClient(sandbox.github.url, sandbox.github.tokens.stranger);
    const [comment] = await comments(issue);
    const forged = String(comment?.body).replace(
      hex(`"${first.outputs['job-id']}"`),
      hex('"job_forged"'),
    );
    const path = `/repos/${PRODUCT_REPOSITORY}/issues/${issue}/comments`;
    await client.request('POST', path, v.unknown(), { body: forged });
    const again = await attempt(issue, 2);
    expect(again.outputs['job-source']).toBe('resumed');
    const removed = `/repos/${PRODUCT_REPOSITORY}/issues/comments/${comment?.id}`;
    const maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    await maintainer.request('PATCH', removed, v.unknown(), { body: forged });
    const last = await attempt(issue, 3);
    expect(last.outputs['job-source']).toBe('created');
    expect(annotations(last, 'warning')).toEqual([
      expect.stringContaining('The record of an earlier attempt is not used'),
    ]);
  });
});

it('says that the agent is working as long as a re-run waits', async () => {
  const thread = livingThread();
  const shown: string[] = [];
  const polls: Reply[] = Array.from({ length: 4 }, () => (_request, response) => {
    shown.push(thread.texts()[0]?.split('\n')[0] ?? '');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(jobBody()));
  });
  await runWithComment(thread.routes, { inputs: { 'wait-minutes': '0.02' } }, [created, active]);
  expect(thread.texts()[0]).toContain('### ⏳ The waiting time is over');
  await runWithComment(thread.routes, { env: { GITHUB_RUN_ATTEMPT: '2' } }, [...polls, done]);
  expect(shown.at(-1)).toBe('### ⏳ The agent is working');
  expect(thread.texts()).toHaveLength(1);
});

it('has an answer of its own for each question, and each its own record', async () => {
  const path = '/repos/acme/product/issues/7/comments';
  const thread = livingThread(path);
  const event = Object(readEvent('issue-comment-by-owner'));
  const ask = (id: number, attempt = '1') =>
    runWithComment(
      thread.routes,
      {
        eventName: 'issue_comment',
        event: {
          ...event,
          issue: { ...event.issue, number: 7 },
          comment: { ...event.comment, id },
        },
        inputs: { 'wait-minutes': '0' },
        env: { GITHUB_RUN_ID: String(2000 + id), GITHUB_RUN_ATTEMPT: attempt },
      },
      [created, active],
    );
  await ask(1);
  await ask(2);
  expect(thread.texts()).toHaveLength(2);
  const again = await ask(1, '2');
  expect(again.outputs['job-source']).toBe('resumed');
  expect(thread.texts()).toHaveLength(2);
});

it('leads a re-run to its job although the repository was renamed', async () => {
  const thread = livingThread();
  const renamed = '/repos/umbrella/product-2/';
  const routes = Object.fromEntries(
    Object.entries({ ...working, ...thread.routes }).flatMap(([route, reply]) => [
      [route, reply],
      [route.replace('/repos/acme/product/', renamed), reply],
    ]),
  );
  const run = (GITHUB_REPOSITORY: string, GITHUB_RUN_ATTEMPT: string) =>
    runWithComment(
      routes,
      {
        inputs: { 'wait-minutes': '0' },
        env: { GITHUB_REPOSITORY, GITHUB_REPOSITORY_ID: '4711', GITHUB_RUN_ATTEMPT },
      },
      [created, active],
    );
  await run('acme/product', '1');
  const again = await run('umbrella/product-2', '2');
  expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
  expect(thread.texts()).toHaveLength(1);
});

it('is written as soon as a follow-up is sent, whatever state the API still returns', async () => {
  const before = ended('completed', { prLink });
  const result = await runWithComment(
    {},
    {
      inputs: { 'job-id': 'job_8f2', prompt: 'Shorter, please.', 'wait-minutes': '1' },
    },
    [before, before, before, active],
  );
  expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
  expect(result.summary).toContain('To find out how it ends, re-run this workflow, or run');
  expect(sealedIn(result.written()[0])).toMatchObject({ records: [expect.anything()] });
  expect(result.written()[0]).toMatch(/^### ⏳ The agent is working[\s\S]*, active /);
});

it('that is only written once the step ends leaves open what a re-run does', async () => {
  const result = await runWithComment(
    {},
    { inputs: { 'wait-minutes': '1' } },
    // Not documented, but nothing rules it out.
    [{ status: 201, body: jobBody({ status: 'completed' }) }, active],
  );
  expect(result.outputs['result']).toBe('timed-out');
  expect(result.summary).toContain('unless its record could not be saved in time');
  expect(sealedIn(result.written().at(-1))).toMatchObject({ records: [expect.anything()] });
});

it('that keeps the record at the end is no reason to warn, although the cache is read-only', async () => {
  const cache = await startCacheService({ fault: () => 'denied' });
  onTestFinished(() => cache.close());
  const { GITHUB_SERVER_URL: _, ...env } = cache.variables('v1');
  const failure = { status: 502 };
  const list = [failure, failure, failure, { status: 200, body: [] }];
  const result = await runWithComment({ [`GET ${commentsPath}`]: list }, { env });
  expect(cache.operations).toContain('reserve');
  expect(annotations(result, 'warning')).toEqual([]);
  expect(sealedIn(result.written().at(-1))).toMatchObject({ records: [expect.anything()] });
});

describe('where GitHub refuses the comment', () => {
  it('the cache leads a re-run to its job', async () => {
    const denied = { status: 403, body: { message: 'Resource not accessible by integration' } };
    const github = await scriptedGitHub({ ...working, [`POST ${commentsPath}`]: denied });
    const { attempt: run, posts, cache } = await startAttempts([created, active]);
    const step = {
      context: {
        serverUrl: 'https://github.com',
        apiUrl: github.url,
        repository: 'acme/product',
        actor: 'owner',
        eventName: 'issues',
        token: 'ghs_t0ken',
      },
      event: readEvent('issues-labeled-by-owner'),
      inputs: { 'wait-minutes': '0' },
    };
    await run(1, step);
    expect(cache.keys).toHaveLength(1);
    const again = await run(2, step);
    await github.close();
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', result: 'running' });
    expect(posts()).toBe(1);
  });
});

describe('where GitHub does not list the comments', () => {
  const unlisted = (status: number, message: string) => ({
    [`GET ${commentsPath}`]: { status, body: { message } },
  });

  it.each([
    [502, 'Bad gateway'],
    [401, 'Bad credentials'],
    [403, 'You have exceeded a secondary rate limit'],
    [403, 'Resource protected by organization SAML enforcement'],
    [404, 'Not Found'],
    [410, 'This issue was deleted'],
    [429, 'Slow down'],
  ])('with %d "%s", a re-run starts nothing', async (status, message) => {
    const result = await runWithComment(unlisted(status, message), {
      env: { GITHUB_RUN_ATTEMPT: '2' },
    });
    expect(result.outputs).toMatchObject({
      result: 'error',
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining(`GitHub responded with ${status}`),
    });
  });

  it('because the token may not, a re-run starts a job, with a warning', async () => {
    const result = await runWithComment(
      unlisted(403, 'Resource not accessible by personal access token'),
      { env: { GITHUB_RUN_ATTEMPT: '2' } },
    );
    expect(result.outputs['job-source']).toBe('created');
    expect(annotations(result, 'warning')[0]).toContain('is not known');
  });

  /** Two attempts with a cache; the second one cannot list the comments. */
  async function attempts(prompts: readonly [string, string]) {
    const cache = await startCacheService();
    onTestFinished(() => cache.close());
    const { GITHUB_SERVER_URL: _, ...variables } = cache.variables('v1');
    const step = (index: 0 | 1) => ({
      inputs: { prompt: prompts[index], 'wait-minutes': '0' },
      env: { ...variables, GITHUB_RUN_ATTEMPT: String(index + 1) },
    });
    await runWithComment({}, step(0), [created]);
    return await runWithComment(unlisted(404, 'Not Found'), step(1), [active, created]);
  }

  it('a re-run resumes the job that the last attempt left in the cache', async () => {
    const again = await attempts(['Describe the flag.', 'Describe the flag.']);
    expect(again.outputs).toMatchObject({ 'job-source': 'resumed', 'job-id': 'job_8f2' });
  });

  it('the record of another prompt in the cache is not enough', async () => {
    const again = await attempts(['Describe the limit.', 'Describe the flag.']);
    expect(again.outputs).toMatchObject({
      reason: 'earlier-attempt-unknown',
      message: expect.stringContaining('its record could not be read: GitHub responded with 404'),
    });
  });
});
