import { describe, expect, it } from 'vitest';
import { type RunEvent, unreadEvent } from '../../../src/github/event.ts';
import {
  checkPermission,
  findCheckedUsers,
  isOpenToAnyone,
  type PermissionCheck,
  type Role,
  type TriggeredRun,
} from '../../../src/github/permission.ts';
import { type AccessCase, accessScript, checkAccessCase } from '../../helpers/access-cases.ts';
import { fakeClock } from '../../helpers/fake-runner.ts';
import {
  closedUrl,
  githubAt,
  githubSession,
  noSignal,
  type Reply,
  reset,
} from '../../helpers/servers.ts';

const owner = { login: 'owner', isBot: false };
const run = { eventName: 'issues', actor: 'owner', triggeringActor: '', attempt: 1 };
const facts = { ...unreadEvent, sender: owner };
const bot = { login: 'renovate[bot]', isBot: true };

/** The run before a `workflow_run` one; none without an event. */
function upstreamOf(eventName: string | undefined): RunEvent['upstream'] {
  return eventName === undefined
    ? undefined
    : { eventName, actor: owner, triggeringActor: undefined, attempt: 1 };
}

describe('the users whose permission is checked', () => {
  it.each([
    ['issues', undefined, 'write', 'all'],
    ['push', undefined, 'write', 'bots'],
    ['push', undefined, 'maintain', 'all'],
    ['release', undefined, 'write', 'none'],
    ['release', undefined, 'maintain', 'all'],
    ['workflow_dispatch', undefined, 'triage', 'none'],
    ['workflow_dispatch', undefined, 'admin', 'all'],
    ['workflow_run', 'push', 'write', 'bots'],
    ['workflow_run', 'push', 'maintain', 'all'],
    ['workflow_run', 'issues', 'write', 'all'],
    ['workflow_run', 'workflow_dispatch', 'write', 'none'],
    ['workflow_run', 'workflow_dispatch', 'maintain', 'all'],
    ['workflow_run', 'schedule', 'admin', 'none'],
    ['schedule', undefined, 'admin', 'none'],
  ] as const)('of %s after %s, where %s is required, are: %s', (...expected) => {
    const [eventName, upstreamEvent, required, who] = expected;
    const event = { ...facts, sender: bot, upstream: upstreamOf(upstreamEvent) };
    const checked = findCheckedUsers({ ...run, eventName }, event, required);
    expect(checked).toEqual({ all: [bot, owner], bots: [bot], none: [] }[who]);
  });

  it.each([
    ['write', 'schedule', 2, undefined, []],
    ['maintain', 'schedule', 1, undefined, []],
    ['maintain', 'schedule', 2, undefined, ['again']],
    ['admin', 'workflow_run', 1, 1, []],
    ['admin', 'workflow_run', 2, 1, ['again']],
    ['admin', 'workflow_run', 1, 2, ['before']],
    ['admin', 'workflow_run', 3, 3, ['again', 'before']],
    // A server that names no attempt may have meant a re-run.
    ['admin', 'workflow_run', 1, undefined, ['before']],
  ] as const)(
    'of a schedule, where %s is required, are those who re-ran it: %s, attempt %s after %s',
    (...row) => {
      const [required, eventName, attempt, attemptBefore, logins] = row;
      const before = { login: 'before', isBot: false };
      const upstream = {
        eventName: 'schedule',
        actor: owner,
        triggeringActor: before,
        attempt: attemptBefore,
      };
      const reRun = { eventName, actor: 'owner', triggeringActor: 'again', attempt };
      const checked = findCheckedUsers(reRun, { ...facts, upstream }, required);
      expect(checked.map(({ login }) => login)).toEqual(logins);
    },
  );

  it.each<[string, TriggeredRun, RunEvent, Role?]>([
    ['nobody who re-ran a schedule', { ...run, eventName: 'schedule', attempt: 2 }, facts, 'admin'],
    ['no sender', run, unreadEvent],
    ['no actor', { ...run, actor: '' }, facts],
    ['no sender of a push', { ...run, eventName: 'push' }, unreadEvent],
    ['no sender of a release', { ...run, eventName: 'release' }, unreadEvent, 'maintain'],
    ['no upstream run', { ...run, eventName: 'workflow_run' }, facts],
    [
      'no upstream actor',
      { ...run, eventName: 'workflow_run' },
      {
        ...facts,
        upstream: { eventName: 'issues', actor: undefined, triggeringActor: owner, attempt: 1 },
      },
    ],
    ['a path', { ...run, actor: '../../orgs/acme' }, facts],
    ['a wildcard', { ...run, triggeringActor: '*' }, facts],
    ['a suffix alone', { ...run, triggeringActor: '[bot]' }, facts],
    ['a line break', { ...run, triggeringActor: 'owner\n' }, facts],
    ['an event without a name', { ...run, eventName: '' }, unreadEvent],
  ])('cannot be found, so the check fails closed: %s', (_name, ...odd) => {
    const [oddRun, event, required = 'write'] = odd;
    expect(() => findCheckedUsers(oddRun, event, required)).toThrowError(
      expect.objectContaining({ reason: 'permission-check-failed' }),
    );
  });
});

it.each([
  ['issues', undefined, true],
  ['something_new', undefined, true],
  ['push', undefined, false],
  ['schedule', undefined, false],
  ['workflow_run', 'pull_request', true],
  ['workflow_run', 'push', false],
  ['workflow_run', undefined, true],
])('anyone can trigger %s after %s: %s', (eventName, upstreamEvent, isOpen) => {
  const upstream = upstreamOf(upstreamEvent);
  expect(isOpenToAnyone({ ...run, eventName }, { ...unreadEvent, upstream })).toBe(isOpen);
});

// permission-rule.test.ts has which runs may start a job, and these say why one may not.
describe('the permission to start a job', () => {
  const ordinary: AccessCase = {
    eventName: 'issues',
    sender: 'owner',
    actor: 'owner',
    triggeringActor: 'owner',
    attempt: 1,
    upstream: { eventName: 'pull_request', actor: 'owner', triggeringActor: 'owner', attempt: 1 },
    required: 'write',
    allowBots: [],
  };
  const tooLow = (login: string, role: Role): PermissionCheck => ({
    kind: 'role-too-low',
    login,
    role,
  });
  const notNamed = (login: string): PermissionCheck => ({ kind: 'bot-not-named', login });

  it.each<[string, Partial<AccessCase>, PermissionCheck]>([
    ['the owner', {}, { kind: 'allowed' }],
    ['a stranger', { sender: 'stranger' }, tooLow('stranger', 'none')],
    ['a reader of a public repository', { sender: 'reader' }, tooLow('reader', 'read')],
    ['a user without a role', { sender: 'nobody' }, tooLow('nobody', 'none')],
    ['a triager, though permission says read', { sender: 'triager' }, tooLow('triager', 'triage')],
    ['a writer', { sender: 'writer', required: 'maintain' }, tooLow('writer', 'write')],
    ["a stranger's re-run", { triggeringActor: 'stranger' }, tooLow('stranger', 'none')],
    ['a bot with permission', { sender: 'Copilot' }, notNamed('Copilot')],
    [
      'a bot that only the payload marks as one',
      { eventName: 'push', sender: 'Copilot', actor: 'Copilot', triggeringActor: 'Copilot' },
      notNamed('Copilot'),
    ],
    [
      'a bot without its suffix',
      { sender: 'renovate[bot]', allowBots: ['renovate'] },
      notNamed('renovate[bot]'),
    ],
    [
      'a person whom allow-bots names',
      { sender: 'renovate', allowBots: ['renovate', 'renovate[bot]'] },
      tooLow('renovate', 'read'),
    ],
    [
      'a run that follows on a run of a fork',
      {
        eventName: 'workflow_run',
        upstream: {
          eventName: 'pull_request',
          actor: 'stranger',
          triggeringActor: undefined,
          attempt: 1,
        },
      },
      tooLow('stranger', 'none'),
    ],
  ])('%s', async (_name, change, expected) => {
    const { session } = await githubSession(accessScript);
    expect(await checkAccessCase({ ...ordinary, ...change }, session)).toEqual(expected);
  });
});

const deps = { repository: 'acme/product', clock: fakeClock(), signal: noSignal };

it('a bot must be named even if only GitHub says that it is one, and a known bot needs no request', async () => {
  const { server, session } = await githubSession(() => ({
    status: 200,
    body: { permission: 'admin', role_name: 'admin', user: { login: 'ci', type: 'Bot' } },
  }));
  const check = (allowBots: readonly string[]) =>
    checkPermission(
      [{ login: 'ci', isBot: false }, bot],
      { role: 'write', allowBots },
      { ...deps, session },
    );
  expect(await check(['ci'])).toEqual({ kind: 'bot-not-named', login: 'renovate[bot]' });
  expect(server.calls).toEqual([]);
  expect(await check(['renovate[bot]'])).toEqual({ kind: 'bot-not-named', login: 'ci' });
  expect(await check(['renovate[bot]', 'ci'])).toEqual({ kind: 'allowed' });
  const call = 'GET /repos/acme/product/collaborators/ci/permission';
  expect(server.calls).toEqual([call, call]);
});

describe('a check whose requests fail', () => {
  const requirement = { role: 'write', allowBots: [] } as const;

  /** Checks with a GitHub that has these replies in order, the last one repeatedly. */
  async function check(...replies: readonly Reply[]) {
    let count = 0;
    const { server, session } = await githubSession(() => {
      count += 1;
      return replies[count - 1] ?? replies.at(-1) ?? reset;
    });
    const checking = checkPermission([owner], requirement, { ...deps, session });
    const result = await checking.catch((error: unknown) => error);
    return { result, requests: server.calls.length };
  }

  const good = { status: 200, body: { permission: 'admin', role_name: 'admin' } };
  const integration = { message: 'Resource not accessible by integration' };

  it('retries them', async () => {
    const result = { kind: 'allowed' };
    expect(await check(reset, { status: 502 }, good)).toEqual({ result, requests: 3 });
  });

  it.each<[string, readonly Reply[], number]>([
    ['no response', [reset], 3],
    ['401', [{ status: 401, body: { message: 'Bad credentials' } }], 1],
    ['a token that cannot see the repository', [{ status: 404 }, { status: 404 }], 2],
    ['a 404, then no response', [{ status: 404 }, reset], 4],
    ['a redirect to another server', [{ status: 302, headers: { location: closedUrl } }], 1],
    ['a status that nobody knows', [{ ...good, status: 999 }], 1],
    ['a response that is null', [{ status: 200, body: 'null' }], 1],
    ['a response without a body', [{ status: 204 }], 1],
    ['an unknown permission', [{ status: 200, body: { permission: 'superuser' } }], 1],
    ['HTML', [{ status: 200, body: '<html>' }], 1],
    [
      'a response about another user',
      [{ status: 200, body: { permission: 'admin', user: { login: 'other' } } }],
      1,
    ],
  ])('fails closed: %s', async (_name, replies, requests) => {
    const found = await check(...replies);
    expect(found.result).toMatchObject({ reason: 'permission-check-failed' });
    expect(found.requests).toBe(requests);
  });

  const refused = 'Whether this run may start a job could not be checked, because';
  const grant =
    'give github-token the workflow\'s own token, or another one with the permission "metadata: read" on acme/product';

  const expired =
    'check that github-token is complete and has not expired, as the token of an App does after an hour.';

  it.each<[readonly Reply[], string]>([
    [
      [{ status: 403, body: integration }],
      `GitHub responded with 403 ("Resource not accessible by integration"): ${grant}.`,
    ],
    [
      [{ status: 404 }],
      `GitHub responded with 404: ${grant}, and check that this repository exists.`,
    ],
    [[{ status: 401 }], `GitHub responded with 401: ${expired}`],
    [[{ status: 404 }, { status: 401 }], `GitHub responded with 401: ${expired}`],
    [[{ status: 503 }], 'GitHub responded with 503: re-run the workflow later.'],
    [
      [{ status: 302 }],
      'GitHub responded with 302: check the proxy and the firewall between this runner and GitHub.',
    ],
    [
      [{ status: 200 }],
      'GitHub responded with 200, but in a form that this action cannot read: check whether a proxy responds instead of GitHub.',
    ],
  ])('says what happened and what to do: %j', async (replies, sentence) => {
    const { result } = await check(...replies);
    expect(result).toMatchObject({ message: `${refused} ${sentence}` });
  });

  it.each([
    [closedUrl, 'a', 'GitHub did not respond (ECONNREFUSED): re-run the workflow later.'],
    [
      'ghe.example',
      'a',
      'the variable GITHUB_API_URL holds no URL: run this step in a workflow that GitHub starts.',
    ],
    [
      closedUrl,
      '',
      "github-token is empty: leave the input out, which gives it the workflow's own token.",
    ],
  ])('says what to do where nobody is asked: %s, token %j', async (apiUrl, token, sentence) => {
    const session = githubAt(apiUrl).as(token);
    const checking = checkPermission([owner], requirement, { ...deps, session });
    await expect(checking).rejects.toThrowError(`${refused} ${sentence}`);
  });
});
