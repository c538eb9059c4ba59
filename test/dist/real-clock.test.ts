import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { githubClient } from '../../sandbox/github/client.ts';
import { PRODUCT_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { annotations, runAgent, runVisitors } from '../helpers/run.ts';
import {
  active,
  batch,
  created,
  type Reply,
  refusal,
  rows,
  scriptedApi,
  silence,
} from '../helpers/servers.ts';

/*
 * All other tests of a bundle use a faster or a fake clock, which can hide bugs that only the real one
 * shows. Here the bundles use the real clock. The runs mostly sleep, so they run at the same time.
 */

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ workMs: 200, pickUpMs: 50 });
});

afterAll(() => sandbox.close());

const oneMinute = { 'wait-minutes': '1', 'poll-interval-seconds': '' };

function against({ url, apiKey, projectId }: Sandbox, inputs: Readonly<Record<string, string>>) {
  return {
    baseUrl: url,
    inputs: { 'api-key': apiKey, 'project-id': projectId, ...oneMinute, ...inputs },
  };
}

const run = (inputs: Readonly<Record<string, string>>) => runAgent(against(sandbox, inputs));

async function serve(script: readonly Reply[]): Promise<string> {
  const api = await scriptedApi(script);
  onTestFinished(() => api.close());
  return api.url;
}

describe.concurrent('on the real clock', { timeout: 115_000 }, () => {
  it('a job that ends within the last 30 s sets the outputs and the comment', async ({
    expect,
  }) => {
    const { url, tokens } = sandbox.github;
    const result = await runAgent({
      ...against(sandbox, { prompt: 'Document --watch in quickstart.mdx. [sandbox: slow 40s]' }),
      context: {
        serverUrl: url,
        repository: PRODUCT_REPOSITORY,
        actor: 'maintainer',
        eventName: 'issues',
        token: tokens.actions,
      },
      event: {
        action: 'labeled',
        issue: { number: 1 },
        sender: { login: 'maintainer', type: 'User' },
      },
    });
    expect(result.outputs).toMatchObject({ result: 'pull-request', status: 'completed' });
    expect(result.outputs['pr-title']).toContain('--watch');
    const [comment] = await githubClient(url, tokens.maintainer).listComments(
      PRODUCT_REPOSITORY,
      1,
    );
    expect(comment?.body).toContain('Pull request opened');
  });

  it('a job that outlives the waiting time is timed out', async ({ expect }) => {
    const result = await run({ prompt: 'Do it. [sandbox: slow 10m]' });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(annotations(result, 'error')).toEqual([result.outputs['message']]);
  });

  it('a job is polled at a fixed interval until its end', async ({ expect }) => {
    const result = await run({
      prompt: 'Document --fixed in quickstart.mdx. [sandbox: slow 40s]',
      'poll-interval-seconds': '7.5',
    });
    expect(result.outputs).toMatchObject({ result: 'pull-request', status: 'completed' });
  });

  it('a follow-up is waited for', async ({ expect }) => {
    // The job is active when it gets the follow-up: the state from before would be doubted for two minutes.
    const prompt = 'Document --first in quickstart.mdx. [sandbox: slow 5s]';
    const first = await run({ prompt, 'wait-minutes': '0' });
    const second = await run({
      prompt: 'Document --second in quickstart.mdx. [sandbox: slow 40s]',
      'job-id': first.outputs['job-id'] ?? '',
    });
    expect(second.outputs).toMatchObject({ result: 'pull-request', status: 'completed' });
    expect(second.outputs['job-id']).toBe(first.outputs['job-id']);
  });

  it('an API that stops responding within the last 30 s does not block the step', async ({
    expect,
  }) => {
    const polls = Array<Reply>(3).fill(active);
    const result = await runAgent({
      baseUrl: await serve([created, ...polls, silence]),
      inputs: oneMinute,
    });
    expect(result.outputs).toMatchObject({ result: 'timed-out', status: 'active' });
    expect(result.outputs['message']).toContain('is over, and the API at ');
  });

  it('an export waits as long as Retry-After asks', async ({ expect }) => {
    const result = await runVisitors({
      baseUrl: await serve([
        batch(rows(250), true),
        refusal(429, { 'retry-after': '20' }),
        refusal(503),
        batch(rows(5, '/last-')),
      ]),
    });
    expect(result.outputs).toMatchObject({ result: 'exported', 'page-count': '255' });
  });
});
