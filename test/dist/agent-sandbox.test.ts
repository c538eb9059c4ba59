import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { runAgent } from '../helpers/run-agent.ts';

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
  it('opens a real pull request, and a follow-up goes on in it', async () => {
    const first = await run({ prompt: 'Document the --watch flag in quickstart.mdx.' });
    expect(first.outputs).toMatchObject({
      result: 'pull-request',
      status: 'completed',
      'pr-repository': 'acme/docs',
      repository: 'acme/docs',
      ref: 'main',
    });
    const second = await run({
      // Long enough at work for a look to see it there.
      prompt: 'Mention --quiet too, in quickstart.mdx. [sandbox: slow 3s]',
      'job-id': first.outputs['job-id'] ?? '',
    });
    expect(second.outputs).toMatchObject({
      result: 'pull-request',
      'pr-link': first.outputs['pr-link'],
      'job-id': first.outputs['job-id'],
    });
  });

  it.each([
    ['no-change', 'no-pull-request', 0],
    ['failed', 'failed', 1],
    ['archived', 'archived', 0],
  ])('rehearses an ending: %s', async (word, result, exitCode) => {
    const rehearsal = await run({ prompt: `Do it. [sandbox: ${word}]` });
    expect(rehearsal.outputs['result']).toBe(result);
    expect(rehearsal.exitCode).toBe(exitCode);
  });

  it('without waiting, then waiting in another step', async () => {
    const start = await run({ prompt: 'Document --json in quickstart.mdx.', 'wait-minutes': '0' });
    expect(start.outputs['result']).toBe('running');
    const wait = await run({ prompt: '', 'job-id': start.outputs['job-id'] ?? '' });
    expect(wait.outputs['result']).toBe('pull-request');
  });

  it.each([
    [{ 'api-key': 'mint_wrong' }, 'key-refused'],
    [{ 'project-id': 'sandbox-other' }, 'forbidden'],
    [{ 'project-id': 'nobody' }, 'project-not-found'],
    [{ 'job-id': 'job_nobody', 'wait-minutes': '0' }, 'job-not-found'],
  ])('is refused: %j', async (inputs, reason) => {
    const result = await run(inputs);
    expect(result.outputs).toMatchObject({ result: 'error', reason });
  });
});
