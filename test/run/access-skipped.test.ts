import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, readEvent, runOnEvent } from '../helpers/run.ts';
import {
  created,
  done,
  permissions,
  type ScriptedApi,
  type ScriptedGitHub,
  startBoth,
} from '../helpers/servers.ts';

let github: ScriptedGitHub;
let api: ScriptedApi;

async function run(step: Omit<EventRun, 'githubUrl'>) {
  ({ github, api } = await startBoth(permissions({ owner: 'admin' }), () => [created, done]));
  return await runOnEvent({ githubUrl: github.url, baseUrl: api.url, ...step });
}

const fork =
  'Nothing was done, because GitHub passes neither secrets nor variables to a pull request from another repository: run this step after the merge, on push (not on pull_request: closed), and never check out the fork on pull_request_target.';
const dependabot =
  'Nothing was done, because GitHub passes neither Actions secrets nor variables to a run that Dependabot triggered: store the API key as a Dependabot secret and name dependabot[bot] in allow-bots, or run this step after the merge, on push.';

/** The inputs of a step in a run without secrets and variables. */
const nothing = { 'api-key': '', 'project-id': '', prompt: '' };

describe('a run that gets no secrets', () => {
  it.each([
    ["a fork's pull request", 'pull_request', 'pull-request-from-fork', 'stranger', fork],
    [
      'a pull request whose fork is gone',
      'pull_request',
      'pull-request-from-gone-fork',
      'stranger',
      fork,
    ],
    [
      "a review of a fork's pull request",
      'pull_request_review',
      'pull-request-from-fork',
      'owner',
      fork,
    ],
    [
      "Dependabot's pull request",
      'pull_request',
      'pull-request-by-dependabot',
      'dependabot[bot]',
      dependabot,
    ],
    ["Dependabot's run, re-run", 'push', 'push-by-writer', 'dependabot[bot]', dependabot],
  ])(
    'is skipped before any other input is read: %s',
    async (_name, eventName, event, actor, sentence) => {
      const result = await run({
        eventName,
        event,
        actor,
        inputs: { ...nothing, 'allow-bots': '*', comment: 'maybe', 'fail-on': 'anything' },
      });
      expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'no-secret' });
      expect(result.exitCode).toBe(0);
      const level = eventName === 'push' ? 'warning' : 'notice';
      expect(annotations(result, level)).toEqual([sentence]);
      expect([...github.calls, ...api.calls]).toEqual([]);
    },
  );

  it('fails the step if fail-on names it', async () => {
    const result = await run({
      eventName: 'pull_request',
      event: 'pull-request-from-fork',
      actor: 'stranger',
      inputs: { ...nothing, 'fail-on': 'skipped' },
    });
    expect(result.outputs['result']).toBe('skipped');
    expect(result.exitCode).toBe(1);
  });

  it.each([
    ['a pull request of the repository itself', 'pull_request', 'pull-request-by-owner', 'owner'],
    [
      'pull_request_target, which has secrets',
      'pull_request_target',
      'pull-request-from-fork',
      'owner',
    ],
    ['a label', 'issues', 'issues-labeled-by-owner', 'owner'],
    ['by hand', 'workflow_dispatch', 'schedule', 'owner'],
    ['a schedule whose line Dependabot touched', 'schedule', 'schedule', 'dependabot[bot]'],
  ])('is an error anywhere else: %s', async (_name, eventName, event, actor) => {
    const inputs = { 'api-key': '', 'required-permission': 'none' };
    const result = await run({ eventName, event, actor, inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(result.outputs['message']).toContain('api-key');
    expect(api.calls).toEqual([]);
  });

  it('is not every run of a fork: with a key, it starts a job', async () => {
    const inputs = { 'required-permission': 'none', comment: 'false' };
    const result = await run({
      eventName: 'pull_request',
      event: 'pull-request-from-fork',
      actor: 'stranger',
      inputs,
    });
    expect(result.outputs['result']).toBe('pull-request');
  });
});

describe('a comment of this action', () => {
  const marker = `<!-- docs-agent-action v9 what a later version may write -->`;

  function commented(body: string, fields: object = {}) {
    const event = Object(readEvent('issue-comment-by-owner'));
    return { ...event, comment: { ...event.comment, body, ...fields } };
  }

  it.each<[string, Readonly<Record<string, string>>, object?]>([
    ['issue_comment', {}],
    ['issue_comment', { 'required-permission': 'none' }],
    // Whatever its id looks like.
    ['discussion_comment', { 'allow-bots': '*' }, { id: 'DC_1' }],
  ])('starts nothing: %s with %j', async (eventName, inputs, fields = {}) => {
    const event = commented(`### Waiting for the agent\n\n${marker}\n`, fields);
    const result = await run({ eventName, event, inputs: { ...inputs, prompt: '' } });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'own-comment' });
    expect(annotations(result, 'notice')).toMatchInlineSnapshot(`
      [
        "Nothing was started, because the comment that triggered this run has this action's own marker: such comments are ignored, because otherwise each run could trigger the next one.",
      ]
    `);
    expect([...github.calls, ...api.calls]).toEqual([]);
  });

  it('is distinguished from every other comment', async () => {
    const event = commented('What does docs-agent-action do? <!-- nothing -->');
    const result = await run({ eventName: 'issue_comment', event, inputs: { comment: 'false' } });
    expect(result.outputs['result']).toBe('pull-request');
  });
});
