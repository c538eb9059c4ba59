import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commentsOn } from '../../rehearse/findings.ts';
import type { Stage } from '../../rehearse/stage.ts';
import { makeEvent, readEvent } from '../../rehearse/try-event.ts';
import { readWorkflow } from '../../rehearse/workflow-text.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';

let stage: Stage;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  stage = openStageOf(sandbox);
});

function openStageOf(its: Sandbox): Stage {
  return {
    sandbox: its,
    run: () => Promise.reject(new Error('No workflow runs here.')),
    [Symbol.asyncDispose]: () => its.close(),
  };
}

afterAll(() => sandbox.close());

const wishes = {
  login: 'writer',
  issue: 2,
  label: undefined,
  comment: undefined,
  inputs: {},
} as const;
const workflow = (on: string) => readWorkflow(`on: ${on}\njobs: {}`, 'action');

function make(on: string, wanted = {}) {
  return makeEvent(workflow(on), { ...wishes, ...wanted }, stage);
}

describe('the event that a workflow is tried with', () => {
  it.each([
    ['release', 'release', { action: 'published', sender: { login: 'writer' } }],
    ['[merge_group, schedule]', 'schedule', { schedule: '17 5 * * 1' }],
    ['{ issues: { types: [opened] }, workflow_dispatch: }', 'workflow_dispatch', { inputs: {} }],
  ])('of %s is %s', async (on, name, payload) => {
    expect(await make(on)).toMatchObject({ name, payload });
  });

  it('is a label, which is among the labels of the issue too', async () => {
    const { payload, description } = await make('issues', { label: 'write docs' });
    expect(payload).toMatchObject({
      action: 'labeled',
      label: { name: 'write docs' },
      issue: { number: 2, labels: expect.arrayContaining([{ name: 'write docs' }]) },
    });
    expect(description).toBe('writer sets the label write docs on acme/product#2');
  });

  it('is a push of which GitHub tells a run and a commit', async () => {
    const { payload, runId } = await make('push');
    const run = sandbox.github.runs.find(({ id }) => id === runId);
    expect(payload).toMatchObject({ ref: 'refs/heads/main', after: run?.headSha });
  });

  it('is a comment, which stands on the local GitHub, too', async () => {
    const { payload, description } = await make('{ issue_comment: { types: [created] } }', {
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
    expect(await commentsOn(2, stage)).toMatchObject([{ body: '/docs\nplease' }]);
  });

  it.each([
    ['pull_request', { state: 'open' }, { action: 'opened' }],
    ['{ pull_request: { types: [assigned, closed] } }', { merged: true }, { action: 'closed' }],
    [
      '{ pull_request: { types: [synchronize] } }',
      { commits: 2 },
      { before: expect.any(String), after: expect.any(String) },
    ],
    [
      '{ pull_request: { types: [labeled] } }',
      { labels: [{ name: 'docs' }] },
      { label: { name: 'docs' } },
    ],
  ])('of %s is a pull request', async (on, pull, payload) => {
    await using own = openStageOf(await startSandbox());
    expect(await makeEvent(workflow(on), wishes, own)).toMatchObject({
      name: 'pull_request',
      isFromFork: false,
      pullRequest: 4,
      payload: {
        ...payload,
        number: 4,
        pull_request: {
          ...pull,
          user: { login: 'writer' },
          head: { repo: { full_name: 'acme/product' } },
        },
      },
    });
  });

  it.each([
    ['opened', { state: 'open' }],
    ['closed', { state: 'closed', merged: false }],
  ])('of somebody who may not write is a pull request of a fork, %s', async (type, pull) => {
    await using own = openStageOf(await startSandbox());
    const on = `{ pull_request: { types: [${type}] } }`;
    const tried = await makeEvent(workflow(on), { ...wishes, login: 'triager' }, own);
    expect(tried).toMatchObject({
      isFromFork: true,
      payload: {
        sender: { login: 'triager' },
        pull_request: {
          ...pull,
          user: { login: 'triager' },
          head: { repo: { full_name: 'triager/product', fork: true } },
          base: { repo: { full_name: 'acme/product', fork: false } },
        },
      },
    });
  });

  it('has the inputs that are given, and the defaults of the others', async () => {
    const on =
      '{ workflow_dispatch: { inputs: { a: { required: true }, b: { default: 7 }, c: } } }';
    const { payload } = await make(on, { inputs: { a: 'x' } });
    expect(payload).toMatchObject({ inputs: { a: 'x', b: '7', c: '' } });
    await expect(make(on)).rejects.toThrow('its input a is required: give -- --input a=…');
    await expect(make(on, { inputs: { a: 'x', d: 'y' } })).rejects.toThrow('it has a, b, c');
  });

  it('cannot be made up for every workflow', async () => {
    await expect(make('{ merge_group: , issues: { types: [opened] } }')).rejects.toThrow(
      'it starts on merge_group, issues (opened), and what can be made up is issues (labeled),',
    );
  });

  it('can be written down, and gets a sender', () => {
    const tried = readEvent('{"issue":{"number":3}}', workflow('issue_comment'), 'triager');
    expect(tried).toMatchObject({
      name: 'issue_comment',
      payload: { issue: { number: 3 }, sender: { login: 'triager' } },
    });
    for (const text of ['', '[]', '7', 'null', '{']) {
      expect(() => readEvent(text, workflow('push'), 'writer')).toThrow('it is no JSON object');
    }
  });
});
