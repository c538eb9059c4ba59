import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { concludeRun } from '../../../rehearse/stage/history.ts';
import { clientOf, commentsOn } from '../../../rehearse/stage/results.ts';
import type { Stage } from '../../../rehearse/stage/stage.ts';
import { createEvent, readEvent } from '../../../rehearse/try/event.ts';
import { countAgentPulls, readThreads } from '../../../rehearse/try/report.ts';
import { readWorkflow } from '../../../rehearse/try/workflow.ts';
import { addPull, repositoryOf } from '../../../sandbox/github/state.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';

let stage: Stage;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  stage = stageOf(sandbox);
});

function stageOf(own: Sandbox): Stage {
  return {
    sandbox: own,
    run: () => Promise.reject(new Error('No workflow runs here.')),
    [Symbol.asyncDispose]: () => own.close(),
  };
}

afterAll(() => sandbox.close());

const options = {
  path: '/my-product/.github/workflows/docs.yml',
  login: 'writer',
  byAgent: true,
  repository: 'acme/product',
  round: 1,
  issue: 2,
  label: undefined,
  comment: undefined,
  inputs: {},
} as const;
const startsJob = 'jobs: { one: { steps: [{ uses: acme/action@v1, with: { prompt: x } }] } }';
const workflow = (on: string, jobs = startsJob) => readWorkflow(`on: ${on}\n${jobs}`, 'action');

function create(on: string, others = {}) {
  return createEvent(workflow(on), { ...options, ...others }, stage);
}

describe('the event', () => {
  it.each([
    ['release', 'release', { action: 'published', sender: { login: 'writer' } }],
    ['[merge_group, schedule]', 'schedule', { schedule: '17 5 * * 1' }],
    ['{ issues: { types: [opened] }, workflow_dispatch: }', 'workflow_dispatch', { inputs: {} }],
  ])('for %s is %s', async (on, name, payload) => {
    expect(await create(on)).toMatchObject({ name, payload });
  });

  it('has the label among the labels of the issue', async () => {
    const { payload, description } = await create('issues', { label: 'write docs' });
    expect(payload).toMatchObject({
      action: 'labeled',
      label: { name: 'write docs', color: 'ededed', description: null },
      issue: {
        number: 2,
        labels: expect.arrayContaining([expect.objectContaining({ name: 'write docs' })]),
      },
    });
    expect(description).toBe('writer sets the label write docs on acme/product#2');
    expect(readThreads(stage)).toContainEqual(
      expect.objectContaining({
        name: 'acme/product#2',
        state: 'open, label bug, label write docs',
      }),
    );
  });

  it('belongs to a run that is the last success of the next round, once it is green', async () => {
    const { runId = 0 } = await create('schedule');
    expect(sandbox.github.runs).toContainEqual(
      expect.objectContaining({ id: runId, event: 'schedule', workflowFile: 'docs.yml' }),
    );
    const file = '/repos/acme/product/actions/workflows/docs.yml/runs?status=success';
    const schema = v.object({ workflow_runs: v.array(v.object({ id: v.number() })) });
    const successes = async () =>
      (await clientOf('owner', stage).request('GET', file, schema)).workflow_runs;
    expect(await successes()).toEqual([]);
    concludeRun(stage, runId, 'success');
    expect(await successes()).toEqual([{ id: runId }]);
  });

  it('for release is published after another release, as the list of releases says', async () => {
    await using own = stageOf(await startSandbox());
    await createEvent(workflow('release'), options, own);
    const schema = v.array(v.object({ tag_name: v.string(), published_at: v.string() }));
    const path = '/repos/acme/product/releases';
    const [newer, older] = await clientOf('owner', own).request('GET', path, schema);
    expect([newer?.tag_name, older?.tag_name]).toEqual(['v1.2.0', 'v1.1.0']);
    expect(Date.parse(older?.published_at ?? '')).toBeLessThan(
      Date.parse(newer?.published_at ?? ''),
    );
  });

  it.each([
    ['a workflow that starts jobs', startsJob, 'writer'],
    ['a check', 'jobs: { one: { steps: [{ uses: acme/action/check@v1 }] } }', 'docs-agent[bot]'],
  ])('for %s is the pull request of the docs of whoever it is about', async (_, jobs, login) => {
    await using own = stageOf(await startSandbox());
    const on = '{ pull_request: { types: [closed] } }';
    const docs = { ...options, repository: 'acme/docs' };
    expect(await createEvent(workflow(on, jobs), docs, own)).toMatchObject({
      actor: login,
      payload: { pull_request: { merged: true, user: { login } } },
    });
  });

  it("is about a person's pull request, which is none that an agent job opened", async () => {
    await using own = stageOf(await startSandbox());
    const on = workflow('{ pull_request: { types: [closed] } }');
    for (const round of [1, 2]) {
      const { pullRequest = 0 } = await createEvent(on, { ...options, round }, own);
      expect(pullRequest).toBeGreaterThan(0);
      expect(countAgentPulls(readThreads(own))).toBe(0);
    }
    const docs = repositoryOf(own.sandbox.github, 'acme/docs');
    const base = docs.git.sha('refs/heads/main') ?? '';
    addPull(own.sandbox.github, docs.name, { base, head: base, login: 'docs-agent[bot]' });
    expect(countAgentPulls(readThreads(own))).toBe(1);
  });

  it('is about a pull request with the label that was given', async () => {
    await using own = stageOf(await startSandbox());
    const on = '{ pull_request: { types: [closed] } }';
    const { payload } = await createEvent(workflow(on), { ...options, label: 'needs docs' }, own);
    expect(payload).toMatchObject({
      action: 'closed',
      pull_request: { labels: [{ name: 'needs docs' }] },
    });
  });

  it('in the docs repository is a comment on an issue, for a workflow that starts jobs', async () => {
    await using own = stageOf(await startSandbox());
    const docs = { ...options, repository: 'acme/docs' };
    const { payload } = await createEvent(workflow('issue_comment'), docs, own);
    expect(payload).toMatchObject({ issue: { title: 'Deploy fails on Windows' } });
    expect(payload).not.toHaveProperty('issue.pull_request');
    expect(readThreads(own).at(-1)).toMatchObject({ name: 'acme/docs#1', isAgentPull: false });
  });

  it('is a comment that is on the local GitHub', async () => {
    const { payload, description } = await create('{ issue_comment: { types: [created] } }', {
      login: 'stranger',
      comment: '/docs\nplease',
    });
    expect(payload).toMatchObject({
      action: 'created',
      issue: { number: 2, title: 'Deploy fails on Windows' },
      comment: { body: '/docs\nplease', user: { login: 'stranger' } },
      sender: { login: 'stranger' },
    });
    expect(description).toContain('stranger comments on acme/product#2: /docs');
    expect(commentsOn(2, stage)).toMatchObject([{ body: '/docs\nplease' }]);
  });

  it.each([
    ['opened', { state: 'open' }],
    ['closed', { state: 'closed', merged: false }],
  ])('of a person without write access is a pull request from a fork, %s', async (type, pull) => {
    await using own = stageOf(await startSandbox());
    const on = `{ pull_request: { types: [${type}] } }`;
    const tried = await createEvent(workflow(on), { ...options, login: 'triager' }, own);
    expect(tried).toMatchObject({
      isFromFork: true,
      payload: {
        sender: { login: 'triager' },
        pull_request: {
          ...pull,
          user: { login: 'triager', html_url: expect.any(String) },
          head: { repo: { full_name: 'triager/product', fork: true } },
          base: { repo: { full_name: 'acme/product', fork: false } },
        },
      },
    });
  });

  const user = { login: 'writer', html_url: expect.stringContaining('/writer'), type: 'User' };
  const sha = expect.stringMatching(/^[0-9a-f]{40}$/);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

  it.each([
    ['opened', { state: 'open', merged: false, merged_at: null }, { action: 'opened' }],
    ['closed', { state: 'closed', merged: true, merged_at: time, merge_commit_sha: sha }, {}],
    ['synchronize', { commits: 2, changed_files: 2 }, { before: sha, after: sha }],
    ['labeled', { labels: [{ name: 'docs', color: '0075ca' }] }, { label: { name: 'docs' } }],
  ])('for a pull request, %s, has the fields that prompts use', async (type, fields, others) => {
    await using own = stageOf(await startSandbox());
    const on = `{ pull_request: { types: [assigned, ${type}] } }`;
    const { payload, ...tried } = await createEvent(workflow(on), options, own);
    expect(tried).toMatchObject({ name: 'pull_request', isFromFork: false, pullRequest: 4 });
    expect(payload).toMatchObject({
      number: 4,
      pull_request: {
        title: 'Add --watch',
        body: 'It rebuilds on every change.',
        html_url: expect.stringMatching(/\/acme\/product\/pull\/4$/),
        user,
        draft: false,
        head: { ref: 'watch', sha, repo: { full_name: 'acme/product' } },
        base: { ref: 'main', sha, repo: { html_url: expect.any(String) } },
        changed_files: 1,
        ...fields,
      },
      sender: user,
      ...others,
    });
  });

  it.each([
    [
      'issues',
      {
        label: { id: 1, name: 'docs', color: '0075ca', description: null },
        issue: {
          html_url: expect.stringMatching(/\/acme\/product\/issues\/1$/),
          user: { login: 'owner' },
          state: 'open',
          state_reason: null,
          labels: [{ name: 'docs', color: '0075ca' }],
          assignee: null,
          milestone: null,
          created_at: time,
        },
      },
    ],
    [
      'issue_comment',
      {
        issue: { html_url: expect.any(String), user: { login: 'owner' }, state: 'open' },
        comment: { html_url: expect.stringContaining('#issuecomment-'), user, created_at: time },
      },
    ],
    [
      'release',
      {
        release: {
          tag_name: 'v1.2.0',
          name: 'Acme v1.2.0',
          body: expect.stringContaining('--watch'),
          html_url: expect.stringMatching(/\/acme\/product\/releases\/tag\/v1\.2\.0$/),
          target_commitish: 'main',
          draft: false,
          prerelease: false,
          published_at: time,
          author: user,
          assets: [],
        },
      },
    ],
    [
      'push',
      {
        ref: 'refs/heads/main',
        base_ref: null,
        created: false,
        deleted: false,
        forced: false,
        compare: expect.stringMatching(/\/acme\/product\/compare\/[0-9a-f]{12}\.\.\.[0-9a-f]{12}$/),
        pusher: { name: 'writer', email: 'writer@example.com' },
        commits: [{ message: 'Add src/watch.ts' }],
        head_commit: {
          id: sha,
          tree_id: sha,
          message: 'Add src/watch.ts',
          timestamp: time,
          url: expect.stringMatching(/\/acme\/product\/commit\/[0-9a-f]{40}$/),
          author: { name: 'owner', email: 'owner@example.com', username: 'owner' },
          added: ['src/watch.ts'],
          removed: [],
          modified: [],
        },
      },
    ],
    ['workflow_dispatch', { ref: 'refs/heads/main', workflow: '.github/workflows/docs.yml' }],
    ['schedule', { workflow: '.github/workflows/docs.yml' }],
  ])(
    'for %s has the fields that all events have, and those that prompts use',
    async (on, fields) => {
      const { payload } = await create(on, { issue: 1 });
      expect(payload).toMatchObject({
        repository: {
          id: expect.any(Number),
          name: 'product',
          full_name: 'acme/product',
          html_url: `${sandbox.github.url}/acme/product`,
          description: null,
          default_branch: 'main',
          private: false,
          owner: { login: 'acme', type: 'Organization' },
        },
        organization: { login: 'acme' },
        ...(on === 'schedule' ? {} : { sender: user }),
        ...fields,
      });
      // The API sends a profile, and GitHub's payloads do not.
      expect(payload).not.toHaveProperty('sender.email');
      expect(payload).not.toHaveProperty('organization.type');
    },
  );

  it('has the given inputs, and the defaults of the others', async () => {
    const on =
      '{ workflow_dispatch: { inputs: { a: { required: true }, b: { default: 7 }, c: } } }';
    const { payload } = await create(on, { inputs: { a: 'x' } });
    expect(payload).toMatchObject({ inputs: { a: 'x', b: '7', c: '' } });
    await expect(create(on)).rejects.toThrow('its input a is required: add -- --input a=…');
    await expect(create(on, { inputs: { a: 'x', d: 'y' } })).rejects.toThrow(
      'its inputs are a, b, c',
    );
  });

  it('cannot be created for workflows with other events only', async () => {
    await expect(create('{ merge_group: , issues: { types: [opened] } }')).rejects.toThrow(
      'none of its events (merge_group, issues (opened)) is one of issues (labeled),',
    );
  });

  it('can be read from a file, and gets a sender', () => {
    const own = { ...options, login: 'triager' } as const;
    const tried = readEvent('{"issue":{"number":3}}', workflow('issue_comment'), own, stage);
    expect(tried).toMatchObject({
      name: 'issue_comment',
      payload: { issue: { number: 3 }, sender: { login: 'triager' } },
    });
    for (const text of ['', '[]', '7', 'null', '{']) {
      expect(() => readEvent(text, workflow('push'), options, stage)).toThrow(
        'it is not a JSON object',
      );
    }
  });
});
