import { describe, expect, it } from 'vitest';
import { type RunEvent, unreadEvent } from '../../../src/github/event.ts';
import type { Role } from '../../../src/github/permission.ts';
import {
  findCheckedUsers,
  isOpenToAnyone,
  type TriggeredRun,
} from '../../../src/github/permission.ts';

const owner = { login: 'owner', isBot: false };
const run = { eventName: 'issues', actor: 'owner', triggeringActor: '' };
const facts = { ...unreadEvent, sender: owner };
const bot = { login: 'renovate[bot]', isBot: true };

describe('the users whose permission is checked', () => {
  it('do not include the triggering actor if the runner names none', () => {
    expect(findCheckedUsers(run, facts, 'write')).toEqual([owner]);
  });

  it.each([
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
  ] as const)(
    'of %s after %s, where %s is required, are: %s',
    (eventName, upstreamEvent, required, who) => {
      const upstream =
        upstreamEvent === undefined
          ? undefined
          : { eventName: upstreamEvent, actor: owner, triggeringActor: undefined };
      const event = { ...facts, sender: bot, upstream };
      const checked = findCheckedUsers({ ...run, eventName }, event, required);
      expect(checked).toEqual({ all: [bot, owner], bots: [bot], none: [] }[who]);
    },
  );

  it.each<[string, TriggeredRun, RunEvent, Role?]>([
    ['no sender', run, unreadEvent],
    ['no actor', { ...run, actor: '' }, facts],
    ['no sender of a push', { ...run, eventName: 'push' }, unreadEvent],
    ['no sender of a release', { ...run, eventName: 'release' }, unreadEvent, 'maintain'],
    [
      'no actor of a dispatch',
      { ...run, eventName: 'workflow_dispatch', actor: '' },
      facts,
      'admin',
    ],
    ['no upstream run', { ...run, eventName: 'workflow_run' }, facts],
    ['a path', { ...run, actor: '../../orgs/acme' }, facts],
    ['a wildcard', { ...run, triggeringActor: '*' }, facts],
    ['a suffix alone', { ...run, triggeringActor: '[bot]' }, facts],
    ['a line break', { ...run, triggeringActor: 'owner\n' }, facts],
    ['an event without a name', { ...run, eventName: '' }, unreadEvent],
  ])(
    'cannot be found, so the check fails closed: %s',
    (_name, odd, oddFacts, required = 'write') => {
      expect(() => findCheckedUsers(odd, oddFacts, required)).toThrowError(
        expect.objectContaining({ reason: 'permission-check-failed' }),
      );
    },
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
])('anyone can trigger %s after %s: %s', (eventName, upstreamEvent, isOpen) => {
  const upstream =
    upstreamEvent === undefined
      ? undefined
      : { eventName: upstreamEvent, actor: undefined, triggeringActor: undefined };
  expect(isOpenToAnyone({ ...run, eventName }, { ...unreadEvent, upstream })).toBe(isOpen);
});
