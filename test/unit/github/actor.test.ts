import { describe, expect, it } from 'vitest';
import { isOpenToStrangers, type TriggeredRun, whoIsJudged } from '../../../src/github/actor.ts';
import { type EventFacts, noFacts } from '../../../src/github/event.ts';
import type { Role } from '../../../src/github/role.ts';

const owner = { login: 'owner', isBot: false };

describe('people who are not named, or not by a login', () => {
  const run = { eventName: 'issues', actor: 'owner', triggeringActor: '' };
  const facts = { ...noFacts, sender: owner };

  it('leaves an absent triggering actor out', () => {
    expect(whoIsJudged(run, facts, 'write')).toEqual({ kind: 'everybody', users: [owner] });
  });

  it.each([
    ['push', undefined, 'write', 'bots'],
    ['push', undefined, 'maintain', 'everybody'],
    ['release', undefined, 'write', 'nobody'],
    ['release', undefined, 'maintain', 'everybody'],
    ['workflow_dispatch', undefined, 'triage', 'nobody'],
    ['workflow_dispatch', undefined, 'admin', 'everybody'],
    ['workflow_run', 'push', 'write', 'bots'],
    ['workflow_run', 'push', 'maintain', 'everybody'],
    ['workflow_run', 'issues', 'write', 'everybody'],
    ['workflow_run', 'workflow_dispatch', 'write', 'nobody'],
    ['workflow_run', 'workflow_dispatch', 'maintain', 'everybody'],
    ['workflow_run', 'schedule', 'admin', 'nobody'],
    ['schedule', undefined, 'admin', 'nobody'],
  ] as const)(
    '%s after %s, where %s is required: %s judged',
    (eventName, upstreamEvent, required, kind) => {
      const upstream =
        upstreamEvent === undefined
          ? undefined
          : { eventName: upstreamEvent, actor: owner, triggeringActor: undefined };
      expect(whoIsJudged({ ...run, eventName }, { ...facts, upstream }, required).kind).toBe(kind);
    },
  );

  it.each<[string, TriggeredRun, EventFacts, Role?]>([
    ['no sender', run, noFacts],
    ['no actor', { ...run, actor: '' }, facts],
    ['no sender of a push', { ...run, eventName: 'push' }, noFacts],
    ['no sender of a release', { ...run, eventName: 'release' }, noFacts, 'maintain'],
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
    ['an event without a name', { ...run, eventName: '' }, noFacts],
  ])('fails closed: %s', (_name, odd, oddFacts, required = 'write') => {
    expect(() => whoIsJudged(odd, oddFacts, required)).toThrowError(
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
