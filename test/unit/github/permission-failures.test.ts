import { describe, expect, it } from 'vitest';
import { checkPermission } from '../../../src/github/permission.ts';
import type { GitHubResponse } from '../../../src/github/request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { fakeSession, githubResponse, noResponse, noSignal } from '../../helpers/fake-github.ts';

const checked = [{ login: 'owner', isBot: false }];
const requirement = { role: 'write', allowBots: new Set<string>() } as const;
const deps = { repository: 'acme/product', clock: fakeClock(), signal: noSignal };

describe('a check whose requests fail', () => {
  function check(responses: readonly GitHubResponse[]) {
    const session = fakeSession(
      (_request, count) => responses[count - 1] ?? responses.at(-1) ?? noResponse,
    );
    return { session, checked: checkPermission(checked, requirement, { ...deps, session }) };
  }

  const good = githubResponse(200, { permission: 'admin', role_name: 'admin' });

  it('retries them', async () => {
    const { session, checked } = check([noResponse, githubResponse(502), good]);
    expect(await checked).toEqual({ kind: 'allowed' });
    expect(session.seen).toHaveLength(3);
  });

  it.each([
    ['no response', [noResponse], 3],
    ['a fault of the server', [githubResponse(503)], 3],
    ['401', [githubResponse(401, { message: 'Bad credentials' })], 1],
    ['403', [githubResponse(403, { message: 'Resource not accessible by integration' })], 1],
    ['a token that cannot see the repository', [githubResponse(404), githubResponse(404)], 2],
    ['a 404, then no response', [githubResponse(404), noResponse], 4],
    ['a redirect to another server', [githubResponse(302)], 1],
    ['a response without a permission', [githubResponse(200, {})], 1],
    ['an unknown permission', [githubResponse(200, { permission: 'superuser' })], 1],
    ['HTML', [githubResponse(200, '<html>')], 1],
    [
      'a response about another user',
      [githubResponse(200, { permission: 'admin', user: { login: 'other' } })],
      1,
    ],
  ])('fails closed: %s', async (_name, responses, requests) => {
    const { session, checked } = check(responses);
    await expect(checked).rejects.toMatchObject({ reason: 'permission-check-failed' });
    expect(session.seen).toHaveLength(requests);
  });

  it('fails closed without a token', async () => {
    await expect(
      checkPermission(checked, requirement, { ...deps, session: undefined }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[ActionError: Whether this run may start a job could not be checked, because github-token is empty: leave the input out, which gives it the workflow's own token.]`,
    );
  });

  it.each([
    [
      githubResponse(403, { message: 'Resource not accessible by integration' }),
      'GitHub responded with 403 ("Resource not accessible by integration"): give github-token the workflow\'s own token, which may always read the metadata of acme/product (metadata: read), or another token with push access to it.',
    ],
    [githubResponse(503), 'GitHub responded with 503: re-run the workflow later.'],
    [
      { kind: 'no-response', code: 'time-out' } as const,
      'GitHub did not respond in time: re-run the workflow later.',
    ],
    [
      { kind: 'no-response', code: 'no-address' } as const,
      'the variable GITHUB_API_URL holds no URL: run this step in a workflow that GitHub starts.',
    ],
    [
      githubResponse(200, {}),
      "GitHub's response about owner is not a permission on acme/product: check whether a proxy responds instead of GitHub.",
    ],
  ])('says what happened and what to do', async (response, sentence) => {
    await expect(check([response]).checked).rejects.toThrowError(
      `Whether this run may start a job could not be checked, because ${sentence}`,
    );
  });
});
