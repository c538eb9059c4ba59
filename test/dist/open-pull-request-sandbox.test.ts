import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitHubClient, githubClient } from '../../sandbox/github/client.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { annotations, runAgent } from '../helpers/run.ts';

let sandbox: Sandbox;
let maintainer: GitHubClient;
let runs = 1000;

beforeAll(async () => {
  sandbox = await startSandbox({ workMs: 200, pickUpMs: 50 });
  maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
});

afterAll(() => sandbox.close());

/** One week of a schedule. */
function week(label: string, inputs: Readonly<Record<string, string>> = {}) {
  runs += 1;
  return runAgent({
    baseUrl: sandbox.url,
    context: {
      serverUrl: sandbox.github.url,
      apiUrl: sandbox.github.url,
      repository: 'acme/product',
      actor: 'maintainer',
      eventName: 'schedule',
      token: '',
    },
    env: { GITHUB_RUN_ID: String(runs) },
    inputs: {
      prompt: `Refresh quickstart.mdx in run ${runs}. [sandbox: slow 2s]`,
      'api-key': sandbox.apiKey,
      'project-id': sandbox.projectId,
      'docs-token': sandbox.github.tokens.maintainer,
      'docs-repository': DOCS_REPOSITORY,
      'pr-label': label,
      'on-open-pr': 'continue',
      'poll-interval-seconds': '1',
      ...inputs,
    },
  });
}

const commentList = v.array(v.object({ body: v.string() }));
const comments = (number: string) =>
  maintainer.request('GET', `/repos/${DOCS_REPOSITORY}/issues/${number}/comments`, commentList);

describe('against the sandbox', () => {
  it('three weeks continue in one pull request', async () => {
    const label = '🤖 docs';
    const first = await week(label);
    expect(first.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'created' });
    const number = first.outputs['pr-number'] ?? '';
    const second = await week(label);
    const third = await week(label);
    for (const run of [second, third]) {
      expect(run.outputs).toMatchObject({
        result: 'pull-request',
        'job-source': 'followed-up',
        'pr-link': first.outputs['pr-link'],
      });
      expect(annotations(run, 'warning')).toEqual([]);
    }
    expect(third.summary).toContain('Pull request continued');
    const written = await comments(number);
    expect(written).toHaveLength(1);
    expect(written[0]?.body).toContain('continued this pull request');
    const skipped = await week(label, { 'on-open-pr': 'skip' });
    expect(skipped.outputs).toMatchObject({
      result: 'skipped',
      reason: 'pull-request-open',
      'pr-number': number,
    });
    // Merged or closed, it is not in the way of the next one.
    const path = `/repos/${DOCS_REPOSITORY}/pulls/${number}`;
    await maintainer.request('PATCH', path, v.unknown(), { state: 'closed' });
    const next = await week(label, { 'on-open-pr': 'skip' });
    expect(next.outputs).toMatchObject({ result: 'pull-request', 'job-source': 'created' });
    expect(next.outputs['pr-number']).not.toBe(number);
  });
});
