import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { githubClient } from '../../sandbox/github/client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { runAgent } from '../helpers/run.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ workMs: 200, pickUpMs: 50 });
});

afterAll(() => sandbox.close());

function run(inputs: Record<string, string>) {
  return runAgent({
    baseUrl: sandbox.url,
    env: { GITHUB_SERVER_URL: sandbox.github.url },
    inputs: { 'api-key': sandbox.apiKey, 'project-id': sandbox.projectId, ...inputs },
  });
}

describe('against the sandbox', () => {
  it('opens a real pull request, and changes it after a follow-up', async () => {
    const first = await run({ prompt: 'Document the --watch flag in quickstart.mdx.' });
    expect(first.outputs).toMatchObject({
      result: 'pull-request',
      status: 'completed',
      'pr-repository': 'acme/docs',
      repository: 'acme/docs',
      ref: `docs-agent/${first.outputs['job-id']}`,
    });
    // The branch that the pull request comes from.
    const [, number] = /\/pull\/(\d+)$/.exec(first.outputs['pr-link'] ?? '') ?? [];
    const reader = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
    const pull = await reader.getPull('acme/docs', Number(number));
    expect(pull.head.ref).toBe(first.outputs['ref']);
    const second = await run({
      // Long enough for a poll to find the job active.
      prompt: 'Mention --quiet too, in quickstart.mdx. [sandbox: slow 3s]',
      'job-id': first.outputs['job-id'] ?? '',
    });
    expect(second.outputs).toMatchObject({
      result: 'pull-request',
      'pr-link': first.outputs['pr-link'],
      'job-id': first.outputs['job-id'],
    });
  });

  it('waits with a read-only key, but starts nothing with it', async () => {
    const started = await run({ prompt: 'Mention -q in index.mdx.', 'wait-minutes': '0' });
    const readOnly = { 'api-key': sandbox.readKey };
    const wait = { prompt: '', 'job-id': started.outputs['job-id'] ?? '' };
    expect((await run({ ...readOnly, ...wait })).outputs['result']).toBe('pull-request');
    const refused = await run({ ...readOnly, prompt: 'Mention -v in index.mdx.' });
    expect(refused.outputs).toMatchObject({ result: 'error', reason: 'forbidden' });
    expect(refused.outputs['message']).toContain('create an admin key that can write');
  });

  it.each([
    [{ 'api-key': 'mint_wrong' }, 'key-refused'],
    [{ 'project-id': 'sandbox-other' }, 'forbidden'],
    [{ prompt: 'Do it. [sandbox: cloudflare]' }, 'forbidden'],
    [{ 'job-id': 'job_nobody', 'wait-minutes': '0' }, 'job-not-found'],
  ])('is refused: %j', async (inputs, reason) => {
    const result = await run(inputs);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
  });
});
