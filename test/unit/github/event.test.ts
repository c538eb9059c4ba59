import { expect, it } from 'vitest';
import { adviceOnFailure, adviceOnToken } from '../../../src/github/errors.ts';
import {
  readEvent,
  readPushBefore,
  readReleaseOf,
  readRunEvent,
  restrictedEvents,
  unreadEvent,
} from '../../../src/github/event.ts';
import { isLogin, isSameName } from '../../../src/github/names.ts';

const user = (login: string, type = 'User') => ({ login, type });

it('events that not anyone can trigger are these', () => {
  expect(Object.fromEntries(restrictedEvents)).toEqual({
    schedule: 'no-actor',
    workflow_dispatch: 'writers',
    repository_dispatch: 'writers',
    release: 'writers',
    merge_group: 'writers',
    push: 'writers-and-bots',
  });
});

it.each<[string, unknown, object | undefined]>([
  ['nothing', {}, {}],
  ['a person', { sender: user('ada') }, { sender: { login: 'ada', isBot: false } }],
  ['a bot', { sender: user('ci', 'Bot') }, { sender: { login: 'ci', isBot: true } }],
  ['a sender without a type', { sender: { login: 'x' } }, { sender: { login: 'x', isBot: false } }],
  ['a sender that is gone', { sender: null }, {}],
  ['a comment', { comment: { body: 'Hi', id: 5 } }, { commentBody: 'Hi', commentId: 5 }],
  ['a comment of a commit', { comment: { body: 'Hi', id: 'x' } }, { commentBody: 'Hi' }],
  ['an issue', { issue: { number: 7 } }, { thread: { number: 7, isPullRequest: false } }],
  [
    'an issue whose pull request is null',
    { issue: { number: 7, pull_request: null } },
    { thread: { number: 7, isPullRequest: false } },
  ],
  [
    'an issue that is a pull request',
    { issue: { number: 7, pull_request: { url: 'x' } } },
    { thread: { number: 7, isPullRequest: true } },
  ],
  [
    'a pull request',
    { issue: { number: 1 }, pull_request: { number: 8, head: { repo: { full_name: 'a/b' } } } },
    { thread: { number: 8, isPullRequest: true }, headRepository: 'a/b' },
  ],
  [
    'a pull request whose fork is gone',
    { pull_request: { number: 8, head: { repo: null } } },
    { thread: { number: 8, isPullRequest: true }, headRepository: '' },
  ],
  [
    'a run after another one',
    { workflow_run: { event: 'push', actor: user('a'), triggering_actor: user('b', 'Bot') } },
    {
      upstream: {
        eventName: 'push',
        actor: { login: 'a', isBot: false },
        triggeringActor: { login: 'b', isBot: true },
      },
    },
  ],
  ['a list', [], undefined],
  ['a text', 'x', undefined],
  ['null', null, undefined],
])('an event is read that has %s', (_name, payload, fields) => {
  expect(readEvent(payload)).toEqual(fields && { ...unreadEvent, ...fields });
});

it('an event may be unreadable only if its users need no check', async () => {
  const read = (eventName: string) =>
    readRunEvent({ eventName, eventPath: '' }).catch(({ reason }) => reason);
  const names = ['schedule', 'workflow_dispatch', 'release', 'push', 'issues'];
  expect(await Promise.all(names.map(read))).toEqual([
    ...[unreadEvent, unreadEvent, unreadEvent],
    ...['permission-check-failed', 'permission-check-failed'],
  ]);
});

it('a push and a release are read', () => {
  expect([readPushBefore({ before: 'abc' }), readPushBefore({ before: null })]).toEqual([
    'abc',
    undefined,
  ]);
  const release = { tag_name: 'v1', draft: false, prerelease: true, published_at: '2026-01-01' };
  expect(readReleaseOf({ release })).toEqual({
    tag: 'v1',
    isPrerelease: true,
    publishedAt: '2026-01-01',
  });
  expect(readReleaseOf({ release: { tag_name: 'v1', published_at: null } })).toEqual({
    tag: 'v1',
    isPrerelease: false,
    publishedAt: '',
  });
  expect(readReleaseOf({ release: { draft: true } })).toBeUndefined();
});

it.each([
  ['a', true],
  ['A-1_b', true],
  ['x'.repeat(100), true],
  ['renovate[bot]', true],
  ['x'.repeat(101), false],
  ['-a', false],
  ['a b', false],
  ['a[bot]x', false],
  ['[bot]', false],
  ['a/b', false],
])('%j is a login: %s', (text, expected) => {
  expect(isLogin(text)).toBe(expected);
});

it('names are the same in any case', () => {
  expect([isSameName('Ada', 'aDA'), isSameName('a', 'b'), isSameName('', undefined)]).toEqual([
    true,
    false,
    false,
  ]);
});

const docs = { repository: 'acme/docs', input: 'docs-token', isStandIn: false } as const;
const give = 'give docs-token the permission "x: read" on acme/docs';

it.each([
  [
    401,
    docs,
    'check that docs-token is complete and has not expired, as the token of an App does after an hour',
  ],
  [403, docs, give],
  [404, docs, `${give}, and check that this repository exists`],
  [403, { ...docs, isStandIn: true }, give],
  [
    404,
    { ...docs, isStandIn: true },
    'docs-token is empty, and this workflow\'s own token sees no repository acme/docs, so if that is its name, create a fine-grained token for it that has the permission "x: read", store it as a secret, and set docs-token to it',
  ],
])('what to do after %d: %j', (status, token, advice) => {
  const permission = 'the permission "x: read"';
  expect(adviceOnToken({ status }, permission, token)).toBe(advice);
  expect(adviceOnFailure({ status, isRefusal: true }, permission, token)).toBe(advice);
  expect(adviceOnFailure({ status, isRefusal: false }, permission, token)).toBe(
    're-run the workflow later',
  );
});
