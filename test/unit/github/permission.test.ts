import { describe, expect, it } from 'vitest';
import { unreadEvent } from '../../../src/github/event.ts';
import {
  checkPermission,
  findCheckedUsers,
  type PermissionCheck,
} from '../../../src/github/permission.ts';
import { type AccessCase, accessScript, checkAccessCase } from '../../helpers/access-cases.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { githubSession, noSignal } from '../../helpers/github-session.ts';

describe('the permission to start a job', () => {
  const ordinary: AccessCase = {
    eventName: 'issues',
    sender: 'owner',
    actor: 'owner',
    triggeringActor: 'owner',
    upstream: { eventName: 'pull_request', actor: 'owner', triggeringActor: 'owner' },
    required: 'write',
    allowBots: [],
  };
  const rows: readonly (readonly [string, Partial<AccessCase>, PermissionCheck])[] = [
    ['the owner', {}, { kind: 'allowed' }],
    [
      'a stranger whose issue template set the label',
      { sender: 'stranger', actor: 'stranger', triggeringActor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      'a reader of a public repository',
      { sender: 'reader' },
      { kind: 'role-too-low', login: 'reader', role: 'read' },
    ],
    [
      'a user without a role',
      { sender: 'nobody' },
      { kind: 'role-too-low', login: 'nobody', role: 'none' },
    ],
    [
      'a triager, though permission says read',
      { sender: 'triager', required: 'triage' },
      { kind: 'allowed' },
    ],
    [
      'a writer, where maintain is required',
      { sender: 'writer', required: 'maintain' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    ['a custom role of an organisation', { sender: 'releaser' }, { kind: 'allowed' }],
    [
      "an owner who re-runs a stranger's run",
      { sender: 'stranger', actor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      "a stranger who re-runs an owner's run",
      { triggeringActor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      'a bot with permission that allow-bots does not name',
      { sender: 'Copilot' },
      { kind: 'bot-not-named', login: 'Copilot' },
    ],
    [
      'a bot that only the payload marks as one, and that a variable names too',
      { sender: 'Copilot', actor: 'Copilot', allowBots: ['Copilot'] },
      { kind: 'allowed' },
    ],
    [
      'a person whom allow-bots names',
      { sender: 'renovate', allowBots: ['renovate', 'renovate[bot]'] },
      { kind: 'role-too-low', login: 'renovate', role: 'read' },
    ],
    [
      'a bot that allow-bots names without its suffix',
      { sender: 'renovate[bot]', allowBots: ['renovate'] },
      { kind: 'bot-not-named', login: 'renovate[bot]' },
    ],
    ["a stranger's push", { eventName: 'push', sender: 'stranger' }, { kind: 'allowed' }],
    [
      "a writer's push, where maintain is required",
      { eventName: 'push', sender: 'writer', required: 'maintain' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    [
      "a writer's release, where admin is required",
      { eventName: 'release', actor: 'writer', required: 'admin' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    [
      "a stranger's schedule, where admin is required",
      { eventName: 'schedule', sender: 'stranger', required: 'admin' },
      { kind: 'allowed' },
    ],
    [
      "a bot's push",
      { eventName: 'push', sender: 'renovate[bot]' },
      { kind: 'bot-not-named', login: 'renovate[bot]' },
    ],
    [
      'a push by a bot that only the payload marks as one',
      { eventName: 'push', sender: 'Copilot', actor: 'Copilot', triggeringActor: 'Copilot' },
      { kind: 'bot-not-named', login: 'Copilot' },
    ],
    [
      'a schedule whose actor has left',
      { eventName: 'schedule', actor: 'stranger' },
      { kind: 'allowed' },
    ],
    [
      'a run that follows on a run of a fork',
      {
        eventName: 'workflow_run',
        upstream: { eventName: 'pull_request', actor: 'stranger', triggeringActor: undefined },
      },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      'a run that follows on a schedule',
      {
        eventName: 'workflow_run',
        sender: 'stranger',
        upstream: { eventName: 'schedule', actor: 'stranger', triggeringActor: 'stranger' },
      },
      { kind: 'allowed' },
    ],
    [
      'the third run of a chain, whose start is not known',
      {
        eventName: 'workflow_run',
        sender: 'stranger',
        upstream: { eventName: 'workflow_run', actor: 'owner', triggeringActor: 'owner' },
      },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
  ];
  it.each(rows)('%s', async (_name, change, expected) => {
    const { session } = await githubSession(accessScript);
    expect(await checkAccessCase({ ...ordinary, ...change }, session)).toEqual(expected);
  });

  it('needs a bot in allow-bots even if only GitHub says that it is one, and sends no request for a known bot', async () => {
    const { server, session } = await githubSession(() => ({
      status: 200,
      body: { permission: 'admin', role_name: 'admin', user: { login: 'ci', type: 'Bot' } },
    }));
    const run = { eventName: 'issues', actor: 'ci', triggeringActor: 'ci' };
    const facts = { ...unreadEvent, sender: { login: 'renovate[bot]', isBot: true } };
    const deps = {
      session,
      repository: 'acme/product',
      clock: fakeClock(),
      signal: noSignal,
    };
    const check = (allowBots: readonly string[]) =>
      checkPermission(
        findCheckedUsers(run, facts, 'write'),
        { role: 'write', allowBots: new Set(allowBots) },
        deps,
      );
    expect(await check([])).toEqual({ kind: 'bot-not-named', login: 'renovate[bot]' });
    expect(server.calls).toEqual([]);
    expect(await check(['renovate[bot]'])).toEqual({ kind: 'bot-not-named', login: 'ci' });
    expect(await check(['renovate[bot]', 'ci'])).toEqual({ kind: 'allowed' });
    expect(server.calls).toEqual([
      'GET /repos/acme/product/collaborators/ci/permission',
      'GET /repos/acme/product/collaborators/ci/permission',
    ]);
  });
});
