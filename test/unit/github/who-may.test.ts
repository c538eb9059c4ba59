import { describe, expect, it } from 'vitest';
import { whoIsJudged } from '../../../src/github/actor.ts';
import { noFacts } from '../../../src/github/event.ts';
import { judge, type Verdict } from '../../../src/github/permission.ts';
import { play, type Scene } from '../../helpers/cast.ts';
import { answered, fakeSession, noPause, noSignal } from '../../helpers/fake-github.ts';

describe('who may start a job', () => {
  const ordinary: Scene = {
    eventName: 'issues',
    sender: 'owner',
    actor: 'owner',
    triggeringActor: 'owner',
    upstream: { eventName: 'pull_request', actor: 'owner', triggeringActor: 'owner' },
    required: 'write',
    allowBots: [],
  };
  const rows: readonly (readonly [string, Partial<Scene>, Verdict])[] = [
    ['the owner', {}, { kind: 'allowed' }],
    [
      'a stranger whose template set the label',
      { sender: 'stranger', actor: 'stranger', triggeringActor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      'a reader of a public repository',
      { sender: 'reader' },
      { kind: 'role-too-low', login: 'reader', role: 'read' },
    ],
    [
      'somebody of whom GitHub says none',
      { sender: 'nobody' },
      { kind: 'role-too-low', login: 'nobody', role: 'none' },
    ],
    [
      'a triager, though permission says read',
      { sender: 'triager', required: 'triage' },
      { kind: 'allowed' },
    ],
    [
      'a writer who is asked for maintain',
      { sender: 'writer', required: 'maintain' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    ['a role of an organisation of its own', { sender: 'releaser' }, { kind: 'allowed' }],
    [
      "an owner who starts a stranger's run again",
      { sender: 'stranger', actor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      "a stranger's name in the re-run of an owner's run",
      { triggeringActor: 'stranger' },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
    [
      'a bot that has the rights, but no name here',
      { sender: 'Copilot' },
      { kind: 'bot-not-named', login: 'Copilot' },
    ],
    [
      'a bot that only the payload knows as one, named by a variable too',
      { sender: 'Copilot', actor: 'Copilot', allowBots: ['Copilot'] },
      { kind: 'allowed' },
    ],
    [
      'a person whose name allow-bots has',
      { sender: 'renovate', allowBots: ['renovate', 'renovate[bot]'] },
      { kind: 'role-too-low', login: 'renovate', role: 'read' },
    ],
    [
      'a bot whose suffix allow-bots left out',
      { sender: 'renovate[bot]', allowBots: ['renovate'] },
      { kind: 'bot-not-named', login: 'renovate[bot]' },
    ],
    ["anybody's push", { eventName: 'push', sender: 'stranger' }, { kind: 'allowed' }],
    [
      "a writer's push, where maintain is asked for",
      { eventName: 'push', sender: 'writer', required: 'maintain' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    [
      "a release of a writer's, where admin is asked for",
      { eventName: 'release', actor: 'writer', required: 'admin' },
      { kind: 'role-too-low', login: 'writer', role: 'write' },
    ],
    [
      "a stranger's schedule, whatever is asked for",
      { eventName: 'schedule', sender: 'stranger', required: 'admin' },
      { kind: 'allowed' },
    ],
    [
      "a bot's push",
      { eventName: 'push', sender: 'renovate[bot]' },
      { kind: 'bot-not-named', login: 'renovate[bot]' },
    ],
    [
      'a push by a bot that only the payload knows as one',
      { eventName: 'push', sender: 'Copilot', actor: 'Copilot', triggeringActor: 'Copilot' },
      { kind: 'bot-not-named', login: 'Copilot' },
    ],
    [
      'a schedule whose actor has left',
      { eventName: 'schedule', actor: 'stranger' },
      { kind: 'allowed' },
    ],
    [
      "a run that follows on a fork's",
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
      'the third of a chain: nobody knows how it began',
      {
        eventName: 'workflow_run',
        sender: 'stranger',
        upstream: { eventName: 'workflow_run', actor: 'owner', triggeringActor: 'owner' },
      },
      { kind: 'role-too-low', login: 'stranger', role: 'none' },
    ],
  ];
  it.each(rows)('%s', async (_name, change, verdict) => {
    expect(await play({ ...ordinary, ...change })).toEqual(verdict);
  });

  it('takes a login for a bot where only GitHub says so, and never asks for a bot by name', async () => {
    const session = fakeSession(() =>
      answered(200, {
        permission: 'admin',
        role_name: 'admin',
        user: { login: 'ci', type: 'Bot' },
      }),
    );
    const run = { eventName: 'issues', actor: 'ci', triggeringActor: 'ci' };
    const facts = { ...noFacts, sender: { login: 'renovate[bot]', isBot: true } };
    const world = { session, repository: 'acme/product', pause: noPause, cancelled: noSignal };
    const ask = (allowBots: readonly string[]) =>
      judge(
        whoIsJudged(run, facts, 'write'),
        { role: 'write', allowBots: new Set(allowBots) },
        world,
      );
    expect(await ask([])).toEqual({ kind: 'bot-not-named', login: 'renovate[bot]' });
    expect(session.seen).toEqual([]);
    expect(await ask(['renovate[bot]'])).toEqual({ kind: 'bot-not-named', login: 'ci' });
    expect(await ask(['renovate[bot]', 'ci'])).toEqual({ kind: 'allowed' });
    expect(session.seen.map(({ request }) => request)).toEqual([
      'GET /repos/acme/product/collaborators/ci/permission',
      'GET /repos/acme/product/collaborators/ci/permission',
    ]);
  });
});
