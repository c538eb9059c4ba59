import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpenToStrangers, whoIsJudged } from '../../../src/github/actor.ts';
import type { Exchange } from '../../../src/github/client.ts';
import type { EventFacts, User } from '../../../src/github/event.ts';
import { noFacts } from '../../../src/github/event.ts';
import { judge, type Requirement, type Verdict } from '../../../src/github/permission.ts';
import type { Role } from '../../../src/github/role.ts';
import { answered, fakeSession, noPause, noSignal, unanswered } from '../../helpers/fake-github.ts';

/** Everybody who may stand behind an event, with GitHub's answer about their permission. */
const cast = {
  owner: { answer: ['admin', 'admin'] },
  maintainer: { answer: ['write', 'maintain'] },
  writer: { answer: ['write', 'write'] },
  // An organisation's own role, made from write.
  releaser: { answer: ['write', 'release-manager'] },
  // An old Enterprise server tells no role_name.
  'old-writer': { answer: ['write', undefined] },
  triager: { answer: ['read', 'triage'] },
  reader: { answer: ['read', 'read'] },
  nobody: { answer: ['none', ''] },
  stranger: { answer: 404 },
  // A person who took a name like the bot's.
  renovate: { answer: ['read', 'read'] },
  'renovate[bot]': { answer: 404, isBot: true },
  'dependabot[bot]': { answer: 404, isBot: true },
  // A bot without a suffix, which GitHub would even give a role.
  Copilot: { answer: ['write', 'write'], isBot: true },
} as const satisfies Record<
  string,
  { answer: 404 | readonly [permission: string, role: string | undefined]; isBot?: true }
>;

type Login = keyof typeof cast;
const logins = Object.keys(cast).filter((login): login is Login => login in cast);

const isBot = (login: Login): boolean => 'isBot' in cast[login];

/** As an event's payload names somebody. */
function user(login: Login): User {
  return { login, isBot: isBot(login) };
}

interface Scene {
  readonly eventName: string;
  readonly sender: Login;
  readonly actor: Login;
  readonly triggeringActor: Login | undefined;
  readonly upstream: {
    readonly eventName: string;
    readonly actor: Login;
    readonly triggeringActor: Login | undefined;
  };
  readonly required: Exclude<Role, 'none' | 'read'>;
  readonly allowBots: readonly string[];
}

function factsOf({ eventName, sender, upstream }: Scene): EventFacts {
  return {
    ...noFacts,
    sender: user(sender),
    upstream:
      eventName === 'workflow_run'
        ? {
            eventName: upstream.eventName,
            actor: user(upstream.actor),
            triggeringActor: upstream.triggeringActor && user(upstream.triggeringActor),
          }
        : undefined,
  };
}

function answerAbout(request: string): Exchange {
  const login = /collaborators\/(.+)\/permission$/.exec(request)?.[1];
  if (login === undefined) {
    return answered(200, { full_name: 'acme/product' });
  }
  const known = logins.find((name) => name === login) ?? 'stranger';
  const { answer } = cast[known];
  const type = isBot(known) ? 'Bot' : 'User';
  return answer === 404
    ? answered(404, { message: `${login} is not a user` })
    : answered(200, { permission: answer[0], role_name: answer[1], user: { login, type } });
}

function play(scene: Scene): Promise<Verdict> {
  const { eventName, actor, triggeringActor = '', required, allowBots } = scene;
  const judged = whoIsJudged({ eventName, actor, triggeringActor }, factsOf(scene));
  const requirement: Requirement = {
    role: required,
    allowBots: new Set(allowBots.map((login) => login.toLowerCase())),
  };
  return judge(judged, requirement, {
    session: fakeSession(({ request }) => answerAbout(request)),
    repository: 'acme/product',
    pause: noPause,
    cancelled: noSignal,
  });
}

/** The rule in other words: what each login has, and which of them an event asks about. */
function mayStart(scene: Scene): boolean {
  const has: Record<Login, number> = {
    owner: 4,
    maintainer: 3,
    writer: 2,
    releaser: 2,
    'old-writer': 2,
    triager: 1,
    reader: 0,
    nobody: 0,
    stranger: 0,
    renovate: 0,
    'renovate[bot]': 9,
    'dependabot[bot]': 9,
    Copilot: 9,
  };
  const needs = { triage: 1, write: 2, maintain: 3, admin: 4 }[scene.required];
  const follows = scene.eventName === 'workflow_run';
  const root = follows ? scene.upstream.eventName : scene.eventName;
  switch (root) {
    case 'schedule':
    case 'workflow_dispatch':
    case 'repository_dispatch':
    case 'release':
    case 'merge_group':
      return true;
    default: {
      const { actor, triggeringActor = actor } = follows ? scene.upstream : scene;
      // Of a push GitHub is not asked, so only the payload tells a bot without a suffix.
      const isUnknown = (login: Login) =>
        scene.eventName === 'push' && login === 'Copilot' && scene.sender !== login;
      return [scene.sender, actor, triggeringActor].every((login) =>
        has[login] === 9 && !isUnknown(login)
          ? scene.allowBots.some((name) => name.toLowerCase() === login.toLowerCase())
          : root === 'push' || has[login] >= needs,
      );
    }
  }
}

const events = [
  'issues',
  'issue_comment',
  'pull_request',
  'pull_request_target',
  'discussion',
  'watch',
  'fork',
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'merge_group',
  'workflow_run',
  'something_new',
];

/** A set of three is drawn alike often enough to pass sometimes. */
const person = fc.constantFrom(...logins);
const strong = fc.constantFrom<Login>('owner', 'maintainer', 'writer', 'renovate[bot]');
const anybody = fc.oneof(person, strong, strong);

const scenes: fc.Arbitrary<Scene> = fc.record({
  eventName: fc.constantFrom(...events),
  sender: anybody,
  actor: anybody,
  triggeringActor: fc.option(anybody, { nil: undefined }),
  upstream: fc.record({
    eventName: fc.constantFrom(...events),
    actor: anybody,
    triggeringActor: fc.option(anybody, { nil: undefined }),
  }),
  required: fc.constantFrom('triage', 'write', 'maintain', 'admin'),
  allowBots: fc.subarray(['Renovate[Bot]', 'dependabot[bot]', 'copilot', 'renovate', 'stranger']),
});

describe('who may start a job', () => {
  it('agrees with the rule in other words, for every event, set of people, role and bot', async () => {
    const seen = { allowed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const isAllowed = (await play(scene)).kind === 'allowed';
        seen[isAllowed ? 'allowed' : 'refused'] += 1;
        expect(isAllowed).toBe(mayStart(scene));
      }),
      { numRuns: 4000 },
    );
    expect(Math.min(seen.allowed, seen.refused)).toBeGreaterThan(400);
  });

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
      "a bot's push",
      { eventName: 'push', sender: 'renovate[bot]' },
      { kind: 'bot-not-named', login: 'renovate[bot]' },
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
      judge(whoIsJudged(run, facts), { role: 'write', allowBots: new Set(allowBots) }, world);
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

describe('people who are not named, or not by a login', () => {
  const run = { eventName: 'issues', actor: 'owner', triggeringActor: '' };
  const facts = { ...noFacts, sender: user('owner') };

  it('leaves an absent triggering actor out', () => {
    expect(whoIsJudged(run, facts)).toEqual({ kind: 'everybody', users: [user('owner')] });
  });

  it.each([
    ['no sender', run, noFacts],
    ['no actor', { ...run, actor: '' }, facts],
    ['no sender of a push', { ...run, eventName: 'push' }, noFacts],
    ['no upstream run', { ...run, eventName: 'workflow_run' }, facts],
    ['a path', { ...run, actor: '../../orgs/acme' }, facts],
    ['a wildcard', { ...run, triggeringActor: '*' }, facts],
    ['a suffix alone', { ...run, triggeringActor: '[bot]' }, facts],
    ['a line break', { ...run, triggeringActor: 'owner\n' }, facts],
    ['an event without a name', { ...run, eventName: '' }, noFacts],
  ])('fails closed: %s', (_name, odd, oddFacts) => {
    expect(() => whoIsJudged(odd, oddFacts)).toThrowError(
      expect.objectContaining({ reason: 'permission-check-failed' }),
    );
  });

  it.each([
    ['issues', undefined, true],
    ['something_new', undefined, true],
    ['push', undefined, false],
    ['schedule', undefined, false],
    ['workflow_run', 'pull_request', true],
    ['workflow_run', 'push', false],
    ['workflow_run', undefined, true],
  ])('strangers can start %s after %s: %s', (eventName, upstreamEvent, isOpen) => {
    const upstream =
      upstreamEvent === undefined
        ? undefined
        : { eventName: upstreamEvent, actor: undefined, triggeringActor: undefined };
    expect(isOpenToStrangers({ ...run, eventName }, { ...noFacts, upstream })).toBe(isOpen);
  });
});

describe('a check that fails', () => {
  const judged = { kind: 'everybody', users: [user('owner')] } as const;

  function check(answers: readonly Exchange[]) {
    const session = fakeSession(
      (_call, count) => answers[count - 1] ?? answers.at(-1) ?? unanswered,
    );
    const world = { session, repository: 'acme/product', pause: noPause, cancelled: noSignal };
    const verdict = judge(judged, { role: 'write', allowBots: new Set() }, world);
    return { session, verdict };
  }

  const good = answered(200, { permission: 'admin', role_name: 'admin' });

  it('is repeated a little', async () => {
    const { session, verdict } = check([unanswered, answered(502), good]);
    expect(await verdict).toEqual({ kind: 'allowed' });
    expect(session.seen).toHaveLength(3);
  });

  it.each([
    ['nothing answers', [unanswered], 3],
    ['server faults', [answered(503)], 3],
    ['401', [answered(401, { message: 'Bad credentials' })], 1],
    ['403', [answered(403, { message: 'Resource not accessible by integration' })], 1],
    ['a blind token', [answered(404), answered(404)], 2],
    ['a 404, then nothing', [answered(404), unanswered], 4],
    ['a redirect elsewhere', [answered(302)], 1],
    ['no permission in the answer', [answered(200, {})], 1],
    ['an unknown permission', [answered(200, { permission: 'superuser' })], 1],
    ['HTML', [answered(200, '<html>')], 1],
    [
      'an answer about somebody else',
      [answered(200, { permission: 'admin', user: { login: 'other' } })],
      1,
    ],
  ])('fails closed: %s', async (_name, answers, requests) => {
    const { session, verdict } = check(answers);
    await expect(verdict).rejects.toMatchObject({ reason: 'permission-check-failed' });
    expect(session.seen).toHaveLength(requests);
  });

  it('fails closed without a token', async () => {
    const world = {
      session: undefined,
      repository: 'acme/product',
      pause: noPause,
      cancelled: noSignal,
    };
    await expect(
      judge(judged, { role: 'write', allowBots: new Set() }, world),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[PermissionCheckError: Whether this run may start a job could not be checked, because github-token is empty: leave the input out, which gives it the workflow's own token.]`,
    );
  });

  it.each([
    [answered(403, { message: 'Resource not accessible by integration' })],
    [answered(503)],
    [{ kind: 'no-answer', code: 'time-out' } as const],
  ])('says what happened and what to do', async (answer) => {
    await expect(check([answer]).verdict).rejects.toThrowErrorMatchingSnapshot();
  });
});
