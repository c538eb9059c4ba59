import { describe, expect, it } from 'vitest';
import { isOpenToStrangers, whoIsJudged } from '../../../src/github/actor.ts';
import { noFacts } from '../../../src/github/event.ts';

const owner = { login: 'owner', isBot: false };

describe('people who are not named, or not by a login', () => {
  const run = { eventName: 'issues', actor: 'owner', triggeringActor: '' };
  const facts = { ...noFacts, sender: owner };

  it('leaves an absent triggering actor out', () => {
    expect(whoIsJudged(run, facts)).toEqual({ kind: 'everybody', users: [owner] });
  });

  it.each([
    ['push', undefined, 'bots'],
    ['workflow_run', 'push', 'bots'],
    ['workflow_run', 'issues', 'everybody'],
    ['workflow_run', 'schedule', 'nobody'],
    ['schedule', undefined, 'nobody'],
  ])('%s after %s: %s judged', (eventName, upstreamEvent, kind) => {
    const upstream =
      upstreamEvent === undefined
        ? undefined
        : { eventName: upstreamEvent, actor: owner, triggeringActor: undefined };
    expect(whoIsJudged({ ...run, eventName }, { ...facts, upstream }).kind).toBe(kind);
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
