import { describe, expect, it } from 'vitest';
import { checkPermission } from '../../../src/github/permission.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { githubAt, githubSession, noSignal } from '../../helpers/github-session.ts';
import { closedUrl, type Reply, reset } from '../../helpers/servers.ts';

const checked = [{ login: 'owner', isBot: false }];
const requirement = { role: 'write', allowBots: new Set<string>() } as const;
const deps = { repository: 'acme/product', clock: fakeClock(), signal: noSignal };

describe('a check whose requests fail', () => {
  /** Checks with a GitHub that has these replies in order, the last one repeatedly. */
  async function check(replies: readonly Reply[]) {
    let count = 0;
    const { server, session } = await githubSession(() => {
      count += 1;
      return replies[count - 1] ?? replies.at(-1) ?? reset;
    });
    const checking = checkPermission(checked, requirement, { ...deps, session });
    const result = await checking.catch((error: unknown) => error);
    return { result, requests: server.calls.length };
  }

  const good = { status: 200, body: { permission: 'admin', role_name: 'admin' } };
  const integration = { message: 'Resource not accessible by integration' };

  it('retries them', async () => {
    const { result, requests } = await check([reset, { status: 502 }, good]);
    expect(result).toEqual({ kind: 'allowed' });
    expect(requests).toBe(3);
  });

  it.each<[string, readonly Reply[], number]>([
    ['no response', [reset], 3],
    ['a fault of the server', [{ status: 503 }], 3],
    ['401', [{ status: 401, body: { message: 'Bad credentials' } }], 1],
    ['403', [{ status: 403, body: integration }], 1],
    ['a token that cannot see the repository', [{ status: 404 }, { status: 404 }], 2],
    ['a 404, then no response', [{ status: 404 }, reset], 4],
    ['a redirect to another server', [{ status: 302, headers: { location: closedUrl } }], 1],
    ['a status that nobody knows', [{ ...good, status: 999 }], 1],
    ['a response without a permission', [{ status: 200 }], 1],
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
    const found = await check(replies);
    expect(found.result).toMatchObject({ reason: 'permission-check-failed' });
    expect(found.requests).toBe(requests);
  });

  it('fails closed without a token', async () => {
    const session = githubAt(closedUrl).as('');
    await expect(
      checkPermission(checked, requirement, { ...deps, session }),
    ).rejects.toThrowErrorMatchingInlineSnapshot(
      `[ActionError: Whether this run may start a job could not be checked, because github-token is empty: leave the input out, which gives it the workflow's own token.]`,
    );
  });

  const refused = 'Whether this run may start a job could not be checked, because';

  it.each<[Reply, string]>([
    [
      { status: 403, body: integration },
      'GitHub responded with 403 ("Resource not accessible by integration"): give github-token the workflow\'s own token, which may always read the metadata of acme/product (metadata: read), or another token with push access to it.',
    ],
    [{ status: 503 }, 'GitHub responded with 503: re-run the workflow later.'],
    [
      { status: 200 },
      'GitHub responded with 200, but in a form that this action cannot read: check whether a proxy responds instead of GitHub.',
    ],
  ])('says what happened and what to do', async (reply, sentence) => {
    const { result } = await check([reply]);
    expect(result).toMatchObject({ message: `${refused} ${sentence}` });
  });

  it.each([
    [closedUrl, 'GitHub did not respond (ECONNREFUSED): re-run the workflow later.'],
    [
      'ghe.example',
      'the variable GITHUB_API_URL holds no URL: run this step in a workflow that GitHub starts.',
    ],
  ])('says what to do where nobody responds: %s', async (apiUrl, sentence) => {
    const session = githubAt(apiUrl).as('token-of-the-test');
    const checking = checkPermission(checked, requirement, { ...deps, session });
    await expect(checking).rejects.toThrowError(`${refused} ${sentence}`);
  });
});
