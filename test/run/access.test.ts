import { describe, expect, it } from 'vitest';
import { annotations, type EventRun, runOnEvent } from '../helpers/run.ts';
import {
  active,
  created,
  done,
  githubError,
  githubToken,
  notFound,
  ok,
  permissions,
  type Reply,
  type Routes,
  reset,
  startBoth,
  working,
} from '../helpers/servers.ts';

const everybody: Routes = {
  ...working,
  ...permissions({
    owner: 'admin',
    maintainer: 'maintain',
    writer: 'write',
    triager: 'triage',
    stranger: 404,
    reader: 'read',
    none: 'none',
  }),
  'GET /repos/acme/product': ok({ full_name: 'acme/product' }),
};

async function run(
  step: Omit<EventRun, 'githubUrl'>,
  routes: Routes = everybody,
  end: Reply = done,
) {
  const { github, api } = await startBoth(routes, () => [created, end]);
  const result = await runOnEvent({
    githubUrl: github.url,
    baseUrl: api.url,
    ...step,
    inputs: { comment: 'false', 'docs-token': 'ghp_docs', ...step.inputs },
  });
  const own = `token ${githubToken}`;
  expect(github.arrivals.filter(({ headers }) => headers.authorization !== own)).toEqual([]);
  expect(result.stdout + result.stderr).not.toMatch(
    new RegExp(`^(?!::add-mask::).*${githubToken}`, 'm'),
  );
  return { ...result, github, api };
}

const wholeLogins = 'it takes complete logins of bots, such as renovate[bot], and no wildcards.';
const commentValues = 'it takes auto, true, false or the number of an issue or pull request.';
const needsWrite =
  'but needs write: ask someone with that permission to trigger the run, or lower required-permission.';

describe('a run with a real payload', () => {
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
      'labeled by a bot that allow-bots names',
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
  ] as const)('starts a job: %s', async (_name, step) => {
    const { outputs, api, exitCode } = await run(step);
    expect(outputs).toMatchObject({ result: 'pull-request', 'job-id': 'job_8f2' });
    expect(outputs['reason']).toBeUndefined();
    expect(api.calls[0]).toBe('POST /v2/agent/acme/job');
    expect(exitCode).toBe(0);
  });

  it.each([
    [
      'labeled by a triager',
      { eventName: 'issues', event: 'issues-labeled-by-triager', actor: 'triager' },
      `triager has the permission triage on acme/product, ${needsWrite}`,
    ],
    [
      "labeled in a stranger's name by a template",
      { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' },
      `stranger has no permission on acme/product, ${needsWrite}`,
    ],
    [
      'labeled by a bot',
      { eventName: 'issues', event: 'issues-labeled-by-bot', actor: 'triage-helper[bot]' },
      'triage-helper[bot] is a bot that allow-bots does not name: to let it start jobs, give this step "allow-bots: triage-helper[bot]".',
    ],
    [
      'labeled by Copilot, a bot without a suffix',
      { eventName: 'issues', event: 'issues-assigned-by-copilot', actor: 'Copilot' },
      'Copilot is a bot that allow-bots does not name: to let it start jobs, give this step "allow-bots: Copilot".',
    ],
    [
      "a stranger's run, re-run by the owner",
      {
        eventName: 'issues',
        event: 'issues-labeled-by-template',
        actor: 'stranger',
        env: { GITHUB_TRIGGERING_ACTOR: 'owner' },
      },
      `stranger has no permission on acme/product, ${needsWrite}`,
    ],
    [
      "an owner's run, re-run by somebody who may only read",
      {
        eventName: 'issues',
        event: 'issues-labeled-by-owner',
        env: { GITHUB_TRIGGERING_ACTOR: 'reader' },
      },
      `reader has the permission read on acme/product, ${needsWrite}`,
    ],
    [
      "a run after a fork's",
      { eventName: 'workflow_run', event: 'workflow-run-from-fork', actor: 'stranger' },
      `stranger has no permission on acme/product, ${needsWrite}`,
    ],
    [
      "Renovate's push",
      {
        eventName: 'push',
        event: 'push-by-renovate',
        actor: 'renovate[bot]',
        inputs: { 'allow-bots': 'dependabot[bot]' },
      },
      'renovate[bot] is a bot that allow-bots does not name: to let it start jobs, give this step "allow-bots: dependabot[bot], renovate[bot]".',
    ],
  ] as const)('starts nothing: %s', async (_name, step, sentence) => {
    const result = await run(step);
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.exitCode).toBe(0);
    expect(result.api.calls).toEqual([]);
    const level = step.eventName === 'push' ? 'warning' : 'notice';
    expect(result.outputs['message']).toBe(`Nothing was started, because ${sentence}`);
    expect(annotations(result, level)).toEqual([result.outputs['message']]);
  });

  it.each([
    ['dependabot[bot], Triage-Helper', 'dependabot[bot], triage-helper[bot]'],
    ['Copilot, triage-helper, dependabot[bot]', 'Copilot, dependabot[bot], triage-helper[bot]'],
    ['dependabot[bot]', 'dependabot[bot], triage-helper[bot]'],
  ] as const)('says what to write instead of %j to allow a bot', async (allowBots, line) => {
    const result = await run({
      eventName: 'issues',
      event: 'issues-labeled-by-bot',
      actor: 'triage-helper[bot]',
      inputs: { 'allow-bots': allowBots },
    });
    expect(result.outputs['reason']).toBe('actor-not-allowed');
    expect(annotations(result, 'notice')).toEqual([
      `Nothing was started, because triage-helper[bot] is a bot that allow-bots does not name: to let it start jobs, give this step "allow-bots: ${line}".`,
    ]);
  });

  it('starts nothing, and says so, even without a key to seal the comment with', async () => {
    const inputs = { comment: 'true', 'api-key': '' };
    const step = { eventName: 'issues', event: 'issues-labeled-by-triager', actor: 'triager' };
    const result = await run({ ...step, inputs });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.github.calls).toContain('POST /repos/acme/product/issues/7/comments');
  });

  it('fails if fail-on names skipped', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' };
    const result = await run({ ...step, inputs: { 'fail-on': 'failed, skipped' } });
    expect(result.outputs).toMatchObject({ result: 'skipped', reason: 'actor-not-allowed' });
    expect(result.exitCode).toBe(1);
    expect(annotations(result, 'error')).toHaveLength(1);
  });

  it('warns if the check is off and strangers can trigger the run', async () => {
    const inputs = { 'required-permission': 'none' };
    const issue = await run({ eventName: 'issues', event: 'issues-labeled-by-owner', inputs });
    expect(annotations(issue, 'warning')).toMatchInlineSnapshot(`
      [
        "Input required-permission is "none", and people without any permission on acme/product can trigger the event issues: all of them can start jobs, so set required-permission unless you want this.",
      ]
    `);
    expect(issue.github.calls).toEqual([]);
    const push = await run({ eventName: 'push', event: 'push-by-renovate', inputs });
    expect(annotations(push, 'warning')).toEqual([]);
  });

  it('is checked before any other input is read', async () => {
    const step = { eventName: 'issues', event: 'issues-labeled-by-template', actor: 'stranger' };
    const inputs = { prompt: '', 'project-id': '', 'base-url': 'ftp://x', 'wait-minutes': 'long' };
    expect((await run({ ...step, inputs })).outputs['result']).toBe('skipped');
  });

  it.each([
    [
      { 'required-permission': 'push' },
      'Input required-permission is "push": it takes triage, write, maintain, admin or none.',
    ],
    [{ 'allow-bots': '*' }, `Input allow-bots has "*": ${wholeLogins}`],
    [{ 'allow-bots': '@renovate[bot]' }, `Input allow-bots has "@renovate[bot]": ${wholeLogins}`],
    [{ comment: 'yes' }, `Input comment is "yes": ${commentValues}`],
    [{ comment: '007' }, `Input comment is "007": ${commentValues}`],
    [
      { 'github-token': 'ghs a' },
      'Input github-token contains a space, a line break, a quote or a character that is not ASCII: copy only the value, without quotes, into the secret again.',
    ],
  ])('refuses %j as bad input', async (inputs, sentence) => {
    const result = await run({ eventName: 'workflow_dispatch', event: {}, inputs });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'bad-input' });
    expect(annotations(result, 'error')).toEqual([sentence]);
  });
});

describe('more than write access', () => {
  const by = (login: string, fields: object = {}) => ({
    sender: { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' },
    ...fields,
  });
  const follow = (eventName: string, login: string) => {
    const { sender } = by(login);
    const fields = { event: eventName, actor: sender, triggering_actor: sender, run_attempt: 1 };
    return { eventName: 'workflow_run', event: by(login, { workflow_run: fields }), actor: login };
  };
  /** Two of the events that require write access. */
  const writersEvents = ['push', 'release'];
  const inputs = { 'required-permission': 'maintain' };

  it.each(writersEvents)('is required on %s, and on a run that follows one', async (eventName) => {
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

  it.each(writersEvents)('is not required on %s by default', async (eventName) => {
    const { outputs, github } = await run({ eventName, event: by('writer'), actor: 'writer' });
    expect(outputs['result']).toBe('pull-request');
    expect(github.calls.filter((call) => call.includes('collaborators'))).toEqual([]);
  });

  it.each([
    ['a schedule', { eventName: 'schedule', event: 'schedule', actor: 'left-long-ago' }],
    ['a run after a schedule', follow('schedule', 'left-long-ago')],
  ])('is not required on %s', async (_name, step) => {
    const { outputs, github } = await run({ ...step, inputs: { 'required-permission': 'admin' } });
    expect(outputs['result']).toBe('pull-request');
    expect(github.calls.filter((call) => call.includes('collaborators'))).toEqual([]);
  });

  it.each([
    ['writer', 'skipped'],
    ['maintainer', 'pull-request'],
  ])('is required of whoever re-ran a scheduled run: %s', async (login, result) => {
    const env = { GITHUB_TRIGGERING_ACTOR: login, GITHUB_RUN_ATTEMPT: '2' };
    const step = { eventName: 'schedule', event: 'schedule', actor: 'left-long-ago', env, inputs };
    expect((await run(step)).outputs['result']).toBe(result);
  });

  it.each([
    ['the actor', { actor: 'writer' }],
    ['the user who re-ran it', { env: { GITHUB_TRIGGERING_ACTOR: 'writer' } }],
  ])('is required of everyone behind a run, including %s', async (_name, change) => {
    const step = { eventName: 'release', event: by('maintainer'), actor: 'maintainer', inputs };
    const { outputs } = await run({ ...step, ...change });
    expect(outputs['reason']).toBe('actor-not-allowed');
    expect(outputs['message']).toBe(
      'Nothing was started, because writer has the permission write on acme/product, but needs maintain: ask someone with that permission to trigger the run, or lower required-permission.',
    );
  });

  it('is required of the user who re-ran a run that follows another one', async () => {
    const env = { GITHUB_TRIGGERING_ACTOR: 'writer' };
    const { outputs } = await run({ ...follow('push', 'maintainer'), env, inputs });
    expect(outputs['reason']).toBe('actor-not-allowed');
  });

  it.each([
    ['no user is named', { event: {} }],
    ['there is no event file', { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } }],
  ])('cannot be checked if %s', async (_name, change) => {
    const step = { eventName: 'workflow_dispatch', event: {}, actor: 'maintainer', inputs };
    const result = await run({ ...step, ...change });
    expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
    expect(result.api.calls).toEqual([]);
  });
});

it('a rate limit that asks for a short wait is no reason to fail, and part of the waiting time', async () => {
  const asked = 'GET /repos/acme/product/collaborators/owner/permission';
  const { [asked]: good = { status: 500 } } = everybody;
  const limited = { status: 403, headers: { 'retry-after': '30' }, body: { message: 'Too fast' } };
  const inputs = { 'wait-minutes': '1' };
  const step = { eventName: 'issues', event: 'issues-labeled-by-owner', inputs };
  const routes = { ...everybody, [asked]: [limited, limited, good].flat() };
  const result = await run(step, routes, active);
  expect(result.outputs['result']).toBe('timed-out');
  expect(result.api.calls.map((call) => call.split(' ')[0])).toEqual(['POST']);
});

describe('a permission check that fails ends the step', () => {
  const labeled = { eventName: 'issues', event: 'issues-labeled-by-owner' };
  const otherToken =
    'give github-token the workflow\'s own token, or another one with the permission "metadata: read" on acme/product, and check that this repository exists.';
  const realEvent =
    "run this step in a workflow that GitHub starts, and leave the event's file as it is.";
  const asked = 'GET /repos/acme/product/collaborators/owner/permission';

  it.each([
    [
      'a wrong token',
      { [asked]: githubError(401, 'Bad credentials') },
      'GitHub responded with 401 ("Bad credentials"): check that github-token is complete and has not expired, as the token of an App does after an hour.',
    ],
    [
      'a token that does not see the repository',
      {
        'GET /repos/acme/product': { status: 404 },
        [asked]: notFound,
      },
      `GitHub responded with 404 ("Not Found"): ${otherToken}`,
    ],
    [
      'a rate limit',
      {
        [asked]: {
          status: 403,
          headers: { 'x-ratelimit-remaining': '0' },
          body: { message: 'You have sent too much.' },
        },
      },
      'GitHub responded with 403 ("You have sent too much."): re-run the workflow later.',
    ],
    [
      "a web filter's page",
      {
        [asked]: {
          status: 403,
          headers: { 'content-type': 'text/html' },
          body: '<html><h1>Blocked by your organisation</h1>',
        },
      },
      'something in front of GitHub responded with 403 and a web page: check the proxy and the firewall between this runner and GitHub.',
    ],
    [
      "a proxy's plain text",
      { [asked]: { status: 407, headers: { 'content-type': 'text/plain' }, body: 'Who are you?' } },
      'something in front of GitHub responded with 407 and plain text: check the proxy and the firewall between this runner and GitHub.',
    ],
    [
      'a broken connection',
      { [asked]: reset },
      'GitHub did not respond (UND_ERR_SOCKET): re-run the workflow later.',
    ],
    [
      "a proxy's page that reads like GitHub's response",
      {
        [asked]: {
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: { permission: 'admin', role_name: 'admin' },
        },
      },
      'GitHub responded with 200, but in a form that this action cannot read: check whether a proxy responds instead of GitHub.',
    ],
  ] satisfies readonly (readonly [string, Routes, string])[])(
    '%s',
    async (_name, routes, words) => {
      const result = await run(labeled, { ...everybody, ...routes });
      expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
      expect(result.exitCode).toBe(1);
      expect(result.api.calls).toEqual([]);
      expect(annotations(result, 'error')).toEqual([
        `Whether this run may start a job could not be checked, because ${words}`,
      ]);
    },
  );

  it.each([
    [
      'no event file',
      { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } },
      `the event's file cannot be read: ${realEvent}`,
    ],
    [
      'no path of an event file',
      { env: { GITHUB_EVENT_PATH: undefined } },
      `the runner named no event file: ${realEvent}`,
    ],
    ['an empty payload', { event: {} }, `the event does not name the sender: ${realEvent}`],
    [
      'a payload that is not an object',
      { event: [] },
      `the event's file is not a JSON object: ${realEvent}`,
    ],
    [
      'an actor that is not a login',
      { actor: '../../../user' },
      `the actor is "../../../user", which is not a login: ${realEvent}`,
    ],
  ] satisfies readonly (readonly [string, Partial<EventRun>, string])[])(
    '%s',
    async (_name, change, words) => {
      const result = await run({ ...labeled, ...change });
      expect(result.outputs).toMatchObject({ result: 'error', reason: 'permission-check-failed' });
      expect(result.github.calls.filter((call) => !call.includes('/owner/'))).toEqual([]);
      expect(result.api.calls).toEqual([]);
      expect(annotations(result, 'error')).toEqual([
        `Whether this run may start a job could not be checked, because ${words}`,
      ]);
    },
  );
});
