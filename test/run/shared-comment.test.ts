import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitHubClient, githubClient } from '../../sandbox/github/client.ts';
import { DOCS_REPOSITORY } from '../../sandbox/github/seed.ts';
import { runStep, type StepResult } from '../../sandbox/runner/runner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { bundleOf } from '../../scripts/actions.ts';
import { entryOf, nodeVariables } from '../helpers/entry.ts';
import { annotations, runAgent } from '../helpers/run-agent.ts';

let sandbox: Sandbox;
let maintainer: GitHubClient;
let runs = 2000;

beforeAll(async () => {
  sandbox = await startSandbox({ workMs: 200, pickUpMs: 50 });
  maintainer = githubClient(sandbox.github.url, sandbox.github.tokens.maintainer);
});

afterAll(() => sandbox.close());

/** Both actions run in workflows of the docs repository, with the same token. */
function context() {
  runs += 1;
  return {
    context: {
      serverUrl: sandbox.github.url,
      apiUrl: sandbox.github.url,
      repository: DOCS_REPOSITORY,
      actor: 'maintainer',
      eventName: 'workflow_dispatch',
      token: sandbox.github.tokens.maintainer,
    },
    env: { ...nodeVariables, GITHUB_RUN_ID: String(runs) },
  };
}

async function agent(inputs: Readonly<Record<string, string>>): Promise<StepResult> {
  const result = await runAgent({
    ...context(),
    baseUrl: sandbox.url,
    inputs: {
      prompt: `Refresh quickstart.mdx in run ${runs}. [sandbox: slow 2s]`,
      'api-key': sandbox.apiKey,
      'project-id': sandbox.projectId,
      ...inputs,
    },
  });
  expect(result.outputs['result']).toBe('pull-request');
  expect(annotations(result, 'warning')).toEqual([]);
  return result;
}

async function check(link: string, inputs: Readonly<Record<string, string>> = {}): Promise<void> {
  const result = await runStep({
    ...context(),
    entry: entryOf('check'),
    actionFile: bundleOf('check').actionFile,
    inputs: { 'pr-link': link, comment: 'true', 'fail-on': 'none', ...inputs },
  });
  expect(result.outputs['result']).toBe('judged');
  expect(annotations(result, 'warning').join()).not.toContain('could not be written');
}

const commentList = v.array(v.object({ id: v.number(), body: v.string() }));

function commentsOn(number: string) {
  const path = `/repos/${DOCS_REPOSITORY}/issues/${number}/comments`;
  return maintainer.request('GET', path, commentList);
}

const verdict = /^### .+ (?:Routine|Review|Blocked)/m;

describe('the comment on a pull request that the agent and the check share', () => {
  it.each(['agent', 'check'] as const)(
    'is one, whoever of them comes first: the %s',
    async (first) => {
      const label = `shared ${first}`;
      const marked = { 'pr-label': label, 'on-open-pr': 'continue' };
      const opened = await agent(first === 'agent' ? marked : {});
      const {
        'pr-number': number = '',
        'pr-link': link = '',
        'job-id': jobId = '',
      } = opened.outputs;
      await check(link);
      if (first === 'check') {
        const [comment] = await commentsOn(number);
        expect(comment?.body).toMatch(/^<!-- docs-agent-action section/);
        await agent({ ...marked, prompt: '', 'job-id': jobId });
      }
      const [both, ...others] = await commentsOn(number);
      expect(others).toEqual([]);
      expect(both?.body).toMatch(/^The docs agent opened this pull request /);
      expect(both?.body).toMatch(verdict);

      const second = await agent(marked);
      expect(second.outputs['pr-link']).toBe(link);
      const [continued] = await commentsOn(number);
      expect(continued?.id).toBe(both?.id);
      expect(continued?.body).toMatch(
        /^The docs agent continued this pull request in its second round, /,
      );
      expect(continued?.body).toMatch(verdict);

      await check(link);
      const [last, ...more] = await commentsOn(number);
      expect(more).toEqual([]);
      expect(last?.body).toContain(' round=2 ');
      expect(last?.body.match(new RegExp(verdict, 'gm'))).toHaveLength(1);
    },
  );

  it('is not the one that shows how a run gets on', async () => {
    const opened = await agent({});
    const { 'pr-number': number = '', 'pr-link': link = '', 'job-id': jobId = '' } = opened.outputs;
    await check(link);
    await agent({ 'job-id': jobId, 'pr-label': 'progress', comment: number });
    await check(link);
    await agent({ 'job-id': jobId, 'pr-label': 'progress', comment: number });
    const [shared, progress, ...others] = await commentsOn(number);
    expect(shared?.body).toMatch(/^The docs agent /);
    expect(shared?.body).toMatch(verdict);
    expect(progress?.body).toMatch(/^### ✅ /);
    expect(progress?.body).not.toMatch(verdict);
    expect(others).toEqual([]);
  });

  it('is not taken over from somebody else', async () => {
    const opened = await agent({});
    const { 'pr-number': number = '', 'pr-link': link = '', 'job-id': jobId = '' } = opened.outputs;
    await check(link, { 'github-token': sandbox.github.tokens.writer });
    const [before] = await commentsOn(number);
    await agent({ prompt: '', 'job-id': jobId, 'pr-label': 'theirs' });
    const [theirs, ours] = await commentsOn(number);
    expect(theirs).toEqual(before);
    expect(ours?.body).toMatch(/^The docs agent opened/);
  });
});
