import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/github/permission.ts';
import type { GitHubResponse } from '../../../src/github/request.ts';
import { answered, fakeSession, noPause, noSignal, unanswered } from '../../helpers/fake-github.ts';

const owner = { login: 'owner', isBot: false };

describe('a check that fails', () => {
  const judged = { kind: 'everybody', users: [owner] } as const;

  function check(answers: readonly GitHubResponse[]) {
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
    [{ kind: 'no-response', code: 'time-out' } as const],
  ])('says what happened and what to do', async (answer) => {
    await expect(check([answer]).verdict).rejects.toThrowErrorMatchingSnapshot();
  });
});
