import { expect, it, vi } from 'vitest';
import {
  githubAt,
  githubSession,
  githubToken,
  noSignal,
  type Reply,
  scriptedGitHub,
} from '../../helpers/servers.ts';

/** Sends one request to a GitHub with this reply. */
async function send(reply: Reply, timeoutMs = 3000) {
  const { server, session } = await githubSession({ 'GET /it': reply });
  const octokit = await session.open({ timeoutMs, signal: noSignal });
  const sent = octokit.request('GET /it').catch((error: unknown) => error);
  return { response: await sent, arrivals: server.arrivals };
}

it('reads a response whose time-out is longer than a timer of Node', async () => {
  const { response } = await send({ status: 200, body: [] }, Number.POSITIVE_INFINITY);
  expect(response).toMatchObject({ status: 200, data: [] });
});

it.each([
  ['application/json; charset=utf-8', { id: 7 }],
  ['application/vnd.github+json', { id: 7 }],
  ['text/html', '{"id":7}'],
  ['text/plain', '{"id":7}'],
  ['', '{"id":7}'],
])('takes only JSON that is called so for an answer of GitHub: %j', async (type, data) => {
  const headers = { 'content-type': type };
  const { response } = await send({ status: 200, headers, body: '{"id":7}' });
  expect(response).toMatchObject({ status: 200, data });
});

it('sends the token to the API, in its version', async () => {
  const { arrivals } = await send({ status: 200 });
  expect(arrivals.map(({ headers }) => headers)).toMatchObject([
    { authorization: `token ${githubToken}`, 'x-github-api-version': '2022-11-28' },
  ]);
});

it.each([429, 500, 502])('sends a request once, even if the status is %d', async (status) => {
  const headers = { 'content-type': 'text/plain' };
  const { response, arrivals } = await send({ status, headers, body: { message: 'no' } });
  expect(response).toMatchObject({ status, response: { data: { message: 'no' } } });
  expect(arrivals).toHaveLength(1);
});

it('takes the token out of what the server sends, however it is written', async () => {
  const escaped = githubToken.replace('g', '\\u0067');
  for (const status of [200, 403]) {
    const { response } = await send({ status, body: `{"message":"${escaped} ${githubToken}"}` });
    const seen = JSON.stringify([response, String(response)]);
    expect(seen).toContain('*** ***');
    expect(seen).not.toContain(githubToken);
  }
});

it('prints nothing if GitHub deprecates a route', async () => {
  const printed = vi.spyOn(console, 'warn');
  const headers = { deprecation: 'true', sunset: 'soon', link: '<x>; rel="deprecation"' };
  const { response } = await send({ status: 200, body: [], headers });
  expect(response).toMatchObject({ status: 200 });
  expect(printed).not.toHaveBeenCalled();
});

it.each([301, 302, 307, 308])('follows a redirect within the API: %d', async (status) => {
  const { server, session } = await githubSession({
    'GET /it': { status, headers: { location: '/renamed' } },
    'GET /renamed': { status: 200, body: { id: 7 } },
  });
  const octokit = await session.open({ timeoutMs: 3000, signal: noSignal });
  expect((await octokit.request('GET /it')).data).toEqual({ id: 7 });
  expect(server.calls).toEqual(['GET /it', 'GET /renamed']);
});

it('follows a few redirects only', async () => {
  const { response, arrivals } = await send({ status: 301, headers: { location: '/it' } });
  expect(String(response)).toContain('GitHub responded with 301');
  expect(arrivals).toHaveLength(4);
});

it('creates nothing where a redirect leads', async () => {
  const { server, session } = await githubSession({
    'POST /it': { status: 301, headers: { location: '/renamed' } },
  });
  const octokit = await session.open({ timeoutMs: 3000, signal: noSignal });
  await expect(octokit.request('POST /it')).rejects.toThrow('GitHub responded with 301');
  expect(server.calls).toEqual(['POST /it']);
});

it.each(['http://', '', 'http://127.0.0.1:9/it', '/it:x\u00fc:'])(
  'takes a redirect to %j for no success',
  async (location) => {
    const { response } = await send({ status: 302, headers: { location } });
    expect(response).toBeInstanceOf(Error);
  },
);

it('sends the token to no other server', async () => {
  const other = await scriptedGitHub({});
  const session = githubAt('http://127.0.0.1:9').as(githubToken);
  const octokit = await session.open({ timeoutMs: 3000, signal: noSignal });
  await expect(octokit.request(`GET ${other.url}/it`)).rejects.toThrow('GitHub did not respond');
  expect(other.calls).toEqual([]);
  await other.close();
});

it('sends nothing once it is closed', async () => {
  const { server, github, session } = await githubSession({ 'GET /it': { status: 200 } });
  const octokit = await session.open({ timeoutMs: 3000, signal: noSignal });
  await octokit.request('GET /it');
  await github.close();
  await expect(octokit.request('GET /it')).rejects.toThrow('GitHub did not respond');
  const again = await session.open({ timeoutMs: 3000, signal: noSignal });
  await expect(again.request('GET /it')).rejects.toThrow('GitHub did not respond');
  expect(server.calls).toHaveLength(1);
});
