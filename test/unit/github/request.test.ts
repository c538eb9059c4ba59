import { describe, expect, it } from 'vitest';
import { describeResponse, type GitHubResponse, sendAgain } from '../../../src/github/request.ts';
import { fakeClock } from '../../helpers/fake-clock.ts';
import { fakeSession, githubResponse, noResponse, noSignal } from '../../helpers/fake-github.ts';

/** Sends a request that gets these responses in order, the last one repeatedly. */
async function send(responses: readonly GitHubResponse[], signal = noSignal) {
  const clock = fakeClock();
  const session = fakeSession(
    (_request, count) => responses[count - 1] ?? responses.at(-1) ?? noResponse,
  );
  const response = await sendAgain({ route: 'GET /it' }, { session, clock, signal });
  return { response, delaysMs: clock.delaysMs, attempts: session.seen.length };
}

const good = githubResponse(200);

describe('a request', () => {
  it('is retried after 500 ms and 2 s, and returns the last response', async () => {
    const responses = [noResponse, githubResponse(502), good];
    expect(await send(responses)).toEqual({ response: good, delaysMs: [500, 2000], attempts: 3 });
    const failed = githubResponse(503);
    expect(await send([failed])).toEqual({ response: failed, delaysMs: [500, 2000], attempts: 3 });
  });

  it.each<GitHubResponse>([
    good,
    githubResponse(302),
    githubResponse(403),
    githubResponse(429),
    { kind: 'no-response', code: 'no-address' },
  ])('is not retried after %j', async (response) => {
    expect(await send([response, good])).toEqual({ response, delaysMs: [], attempts: 1 });
  });

  it('is retried when a rate limit asks to wait for up to a minute, and not otherwise', async () => {
    const limited = (retryAfterMs: number | undefined): GitHubResponse => ({
      kind: 'response',
      status: 403,
      body: {},
      rateLimit: { retryAfterMs },
    });
    const short = limited(3000);
    expect(await send([short, good])).toEqual({ response: good, delaysMs: [3000], attempts: 2 });
    for (const response of [limited(61_000), limited(undefined)]) {
      expect(await send([response, good])).toEqual({ response, delaysMs: [], attempts: 1 });
    }
  });

  it('is not retried once it is aborted', async () => {
    const response = await send([noResponse, good], AbortSignal.abort());
    expect(response).toEqual({ response: noResponse, delaysMs: [], attempts: 1 });
  });
});

it.each<[GitHubResponse, string]>([
  [good, 'GitHub responded with 200, but in a form that this action cannot read'],
  [githubResponse(503), 'GitHub responded with 503'],
  [githubResponse(403, { message: 'Not here\n' }), 'GitHub responded with 403 ("Not here")'],
  [githubResponse(502, '<html>'), 'GitHub responded with 502'],
  [
    githubResponse(403, ' <html>'),
    'something in front of GitHub responded with 403 and a web page',
  ],
  [
    { kind: 'no-response', code: 'ECONNREFUSED', proxy: 'proxy.example:3128' },
    'GitHub could not be reached through the proxy at proxy.example:3128 (ECONNREFUSED)',
  ],
  [noResponse, 'GitHub did not respond (ECONNRESET)'],
  [{ kind: 'no-response', code: '' }, 'GitHub did not respond'],
  [{ kind: 'no-response', code: 'time-out' }, 'GitHub did not respond in time'],
  [{ kind: 'no-response', code: 'no-address' }, 'the variable GITHUB_API_URL holds no URL'],
])('%j is described as: %s', async (response, description) => {
  expect(await describeResponse(response)).toBe(description);
});
