import { describe, expect, it } from 'vitest';
import { startBoth } from '../helpers/both-servers.ts';
import { annotations } from '../helpers/run-agent.ts';
import { type EventRun, githubToken, runOnEvent } from '../helpers/run-on-event.ts';
import { created, done, reset } from '../helpers/scripted-api.ts';
import { installation, permissions, quietIssue, type Routes } from '../helpers/scripted-github.ts';

const everybody: Routes = {
  ...installation,
  ...quietIssue,
  ...permissions({
    owner: 'admin',
    maintainer: 'maintain',
    writer: 'write',
    triager: 'triage',
    stranger: 404,
    reader: 'read',
    none: 'none',
  }),
  'GET /repos/acme/product': { status: 200, body: { full_name: 'acme/product' } },
};

async function run(step: Omit<EventRun, 'githubUrl'>, routes: Routes = everybody) {
  const { github, api } = await startBoth(routes, () => [created, done]);
  const result = await runOnEvent({
    githubUrl: github.url,
    baseUrl: api.url,
    speed: 10,
    ...step,
    inputs: { comment: 'false', ...step.inputs },
  });
  expect(result.stdout + result.stderr).not.toMatch(
    new RegExp(`^(?!::add-mask::).*${githubToken}`, 'm'),
  );
  return { ...result, github, api };
}

describe('who may start a job, with real payloads', () => {
  it.each([
    ['labeled by the owner', { eventName: 'issues', event: 'issues-labeled-by-owner' }],
    [
      'labeled by a triager, where that is enough',
      {
        eventName: 'issues',
        event: 'issues-labeled-by-triager',
        actor: 'triager',
        inputs: { 'required-permission': 'triage' },
      },
    ],
    [
      'labeled by a bot that has a name here',
      {
        eventName: 'issues',
        event: 'issues-labeled-by-bot',
        actor: 'triage-helper[bot]',
        inputs: { 'allow-bots': 'Triage-Helper[bot]' },
      },
    ],
    [
      'a schedule whose actor has left',
      { eventName: 'schedule', event: 'schedule', actor: 'left-long-ago' },
    ],
    [
      'a run after a schedule whose actor has left',
      {
        eventName: 'workflow_run',
        event: 'workflow-run-after-schedule',
        actor: 'left-long-ago',
      },
    ],
    ['a push by a person', { eventName: 'push', event: 'push-by-writer', actor: 'writer' }],
    ['dispatched by hand', { eventName: 'workflow_dispatch', event: {} }],
    [
      'a stranger, with the check switched off',
      {
        eventName: 'issues',
        event: 'issues-labeled-by-template',
        actor: 'stranger',
        inputs: { 'required-permission': 'none' },
      },
    ],
  ] as const)('starts one: %s', async (_name, step) => {
    const { outputs, api, exitCode } = await run(step);
    expect(outputs).toMatchObject({ result: 'pull-request', reason: '' });
    expect(api.calls[0]).toBe('POST /v2/agent/acme/job');
    expect(exitCode).toBe(0);
  });

  it.each([
    [
      'labeled by a triager',
      { eventName: 'issues', event: 'issues-labeled-by-triager', actor: 'triager' },
    ],
    [
      'labeled by a triager, with an input that is empty',
      {
        eventName: 'issues',
        event: 'issues-labeled-by-triager',
        actor: 'triager',
        inputs: { 'required-permission': '' },
      },
    ],
    [
      "labeled in a stranger's name by a template",
      { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' },
    ],
    [
      'labeled by a bot',
      { eventName: 'issues', event: 'issues-labeled-by-bot', actor: 'triage-helper[bot]' },
    ],
    [
      'labeled by Copilot, a bot without a suffix',
      { eventName: 'issues', event: 'issues-assigned-by-copilot', actor: 'Copilot' },
    ],
    [
      "a stranger's run, started again by the owner",
      {
        eventName: 'issues',
        event: 'issues-labeled-by-template',
        actor: 'stranger',
        env: { GITHUB_TRIGGERING_ACTOR: 'owner' },
      },
    ],
    [
      "an owner's run, started again by somebody who may only read",
      {
        eventName: 'issues',
        event: 'issues-labeled-by-owner',
        env: { GITHUB_TRIGGERING_ACTOR: 'reader' },
      },
    ],
    [
      "a run after a fork's",
      { eventName: 'workflow_run', event: 'workflow-run-from-fork', actor: 'stranger' },
    ],
    [
      "Renovate's push",
      {
        eventName: 'push',
        event: 'push-by-renovate',
        actor: 'renovate[bot]',
        inputs: { 'allow-bots': 'dependabot[bot]' },
      },
    ],
  ] as const)('skips: %s', async (_name, step) => {
    const result = await run(step);
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.exitCode).toBe(0);
    expect(result.api.calls).toEqual([]);
    const level = step.eventName === 'push' ? 'warning' : 'notice';
    expect({ [level]: annotations(result, level) }).toMatchSnapshot();
    expect(annotations(result, level)).toEqual([result.outputs['message']]);
  });

  it.each([
    ['only missing its suffix', 'dependabot[bot], Triage-Helper', 'warning'],
    ['one of them with its suffix', 'Copilot, triage-helper, dependabot[bot]', 'warning'],
    ['not there at all', 'dependabot[bot]', 'notice'],
  ] as const)('skips a bot, and spells its name: %s', async (_name, allowBots, level) => {
    const result = await run({
      eventName: 'issues',
      event: 'issues-labeled-by-bot',
      actor: 'triage-helper[bot]',
      inputs: { 'allow-bots': allowBots },
    });
    expect(result.outputs['reason']).toBe('actor-not-allowed');
    expect({ [level]: annotations(result, level) }).toMatchSnapshot();
    expect(annotations(result, level)).toEqual([result.outputs['message']]);
  });

  it.each([
    ['renovate, Copilot, Dependabot[bot]', ['"renovate"', '"renovate[bot]"']],
    ['Copilot, renovate[bot]', []],
    ['owner', []],
  ])('warns of a bot whose suffix is missing, before it comes: %s', async (allowBots, words) => {
    const inputs = { 'allow-bots': allowBots };
    const step = { eventName: 'issues', event: 'issues-labeled-by-owner', inputs };
    const result = await run(step);
    expect(result.outputs['result']).toBe('pull-request');
    const warnings = annotations(result, 'warning');
    expect(warnings).toHaveLength(words.length === 0 ? 0 : 1);
    expect(warnings.flatMap((line) => line.match(/"[\w-]+(?:\[bot\])?"/g))).toEqual(words);
  });

  it('skips without a comment where there is no key to sign it with', async () => {
    const inputs = { comment: 'true', 'api-key': '' };
    const step = { eventName: 'issues', event: 'issues-labeled-by-triager', actor: 'triager' };
    const result = await run({ ...step, inputs });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.github.calls.filter((call) => call.includes('comments'))).toEqual([]);
  });

  it('fails where fail-on names skipped', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' };
    const result = await run({ ...step, inputs: { 'fail-on': 'failed, skipped' } });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.exitCode).toBe(1);
    expect(annotations(result, 'error')).toHaveLength(1);
  });

  it('warns where the check is switched off and a stranger can start the run', async () => {
    const inputs = { 'required-permission': 'none' };
    const issue = await run({ eventName: 'issues', event: 'issues-labeled-by-owner', inputs });
    expect(annotations(issue, 'warning')).toMatchInlineSnapshot(`
      [
        "Input required-permission is "none", and people without any permission on acme/product can trigger the event issues: all of them can start jobs, so raise required-permission unless you want that.",
      ]
    `);
    expect(issue.github.calls).toEqual([]);
    const push = await run({ eventName: 'push', event: 'push-by-renovate', inputs });
    expect(annotations(push, 'warning')).toEqual([]);
  });

  it('comes before every other input', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' };
    const inputs = { prompt: '', 'project-id': '', 'base-url': 'ftp://x', 'wait-minutes': 'long' };
    expect((await run({ ...step, inputs })).outputs['result']).toBe('skipped');
  });

  it.each([
    [{ 'required-permission': 'push' }],
    [{ 'allow-bots': '*' }],
    [{ 'allow-bots': 'dependabot*' }],
    [{ 'allow-bots': '@renovate[bot]' }],
    [{ comment: 'yes' }],
    [{ comment: '007' }],
    [{ 'github-token': 'ghs a' }],
  ])('refuses %j as bad input', async (inputs) => {
    const result = await run({ eventName: 'workflow_dispatch', event: {}, inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(annotations(result, 'error')).toMatchSnapshot();
  });
});

describe('more than write access', () => {
  const by = (login: string, fields: object = {}) => ({
    sender: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
    ...fields,
  });
  const follow = (eventName: string, login: string) => {
    const { sender } = by(login);
    const fields = { event: eventName, actor: sender, triggering_actor: sender };
    return { eventName: 'workflow_run', event: by(login, { workflow_run: fields }), actor: login };
  };
  const writersEvents = [
    'push',
    'workflow_dispatch',
    'repository_dispatch',
    'release',
    'merge_group',
  ];
  const inputs = { 'required-permission': 'maintain' };

  it.each(writersEvents)('is asked for on %s, and after it', async (eventName) => {
    for (const [login, result] of [
      ['writer', 'skipped'],
      ['renovate[bot]', 'skipped'],
      ['maintainer', 'pull-request'],
    ] as const) {
      const step = { eventName, event: by(login), actor: login, inputs };
      const direct = await run(step);
      expect(direct.outputs['result']).toBe(result);
      const followed = await run({ ...follow(eventName, login), inputs });
      expect(followed.outputs['result']).toBe(result);
      const level = eventName === 'push' ? 'warning' : 'notice';
      const calls = [...direct.api.calls, ...followed.api.calls];
      if (result === 'skipped') {
        expect(direct.outputs['reason']).toBe('actor-not-allowed');
        expect(direct.outputs['message']).toContain(login);
        expect(annotations(direct, level)).toEqual([direct.outputs['message']]);
        expect(annotations(followed, level)).toEqual([followed.outputs['message']]);
        expect(calls).toEqual([]);
      } else {
        expect(calls.length).toBeGreaterThan(2);
      }
    }
  });

  it.each(writersEvents)('is not asked for on %s by default', async (eventName) => {
    const { outputs, github } = await run({ eventName, event: by('writer'), actor: 'writer' });
    expect(outputs['result']).toBe('pull-request');
    expect(github.calls.filter((call) => call.includes('collaborators'))).toEqual([]);
  });

  it.each([
    ['a schedule', { eventName: 'schedule', event: 'schedule', actor: 'left-long-ago' }],
    ['a run after a schedule', follow('schedule', 'left-long-ago')],
  ])('is never asked of %s', async (_name, step) => {
    const { outputs, github } = await run({ ...step, inputs: { 'required-permission': 'admin' } });
    expect(outputs['result']).toBe('pull-request');
    expect(github.calls.filter((call) => call.includes('collaborators'))).toEqual([]);
  });

  it.each([
    ['the actor', { actor: 'writer' }],
    ['whoever started it again', { env: { GITHUB_TRIGGERING_ACTOR: 'writer' } }],
  ])('is asked of everybody behind a run, %s too', async (_name, change) => {
    const step = { eventName: 'release', event: by('maintainer'), actor: 'maintainer', inputs };
    const { outputs } = await run({ ...step, ...change });
    expect(outputs['reason']).toBe('actor-not-allowed');
    expect(outputs['message']).toContain('writer has the permission write');
  });

  it('is asked of whoever started a run again that follows on another', async () => {
    const env = { GITHUB_TRIGGERING_ACTOR: 'writer' };
    const { outputs } = await run({ ...follow('push', 'maintainer'), env, inputs });
    expect(outputs['reason']).toBe('actor-not-allowed');
  });

  it.each([
    ['nobody is named', { event: {} }],
    ['there is no event file', { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } }],
  ])('cannot be checked where %s', async (_name, change) => {
    const step = { eventName: 'workflow_dispatch', event: {}, actor: 'maintainer', inputs };
    const result = await run({ ...step, ...change });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
    expect(result.api.calls).toEqual([]);
  });
});

describe('a check that cannot be made ends with an error', () => {
  const labeled = { eventName: 'issues', event: 'issues-labeled-by-owner' };
  const asked = 'GET /repos/acme/product/collaborators/owner/permission';

  it.each([
    ['a token that is wrong', { [asked]: { status: 401, body: { message: 'Bad credentials' } } }],
    [
      'a token without the right',
      { [asked]: { status: 403, body: { message: 'Resource not accessible by integration' } } },
    ],
    [
      'a token that does not see the repository',
      {
        'GET /repos/acme/product': { status: 404 },
        [asked]: { status: 404, body: { message: 'Not Found' } },
      },
    ],
    ['a fault of GitHub', { [asked]: { status: 502, body: '<html>' } }],
    ['an answer that is cut off', { [asked]: reset }],
    ['an answer that makes no sense', { [asked]: { status: 200, body: { permission: 'all' } } }],
  ] satisfies readonly (readonly [string, Routes])[])('%s', async (_name, routes) => {
    const result = await run(labeled, { ...everybody, ...routes });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
    expect(result.exitCode).toBe(1);
    expect(result.api.calls).toEqual([]);
    expect(annotations(result, 'error')).toMatchSnapshot();
  });

  it.each([
    ['no token', { inputs: { 'github-token': '' } }],
    ['no event file', { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } }],
    ['an event file that is not named', { env: { GITHUB_EVENT_PATH: undefined } }],
    ['an empty payload', { event: {} }],
    ['a payload that is no object', { event: [] }],
    ['a login that is no login', { actor: '../../../user' }],
    ['no address of the API', { env: { GITHUB_API_URL: undefined } }],
  ] satisfies readonly (readonly [string, Partial<EventRun>])[])('%s', async (_name, change) => {
    const result = await run({ ...labeled, ...change });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
    expect(result.github.calls.filter((call) => !call.includes('/owner/'))).toEqual([]);
    expect(result.api.calls).toEqual([]);
    expect(annotations(result, 'error')).toMatchSnapshot();
  });

  it('a small fault is only repeated', async () => {
    const { [asked]: good = { status: 500 } } = everybody;
    const flaky = [reset, { status: 503 }, good].flat();
    const result = await run(labeled, { ...everybody, [asked]: flaky });
    expect(result.outputs['result']).toBe('pull-request');
    expect(result.github.calls).toHaveLength(3);
  });
});
