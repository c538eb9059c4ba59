import { expect, it, onTestFinished, vi } from 'vitest';
import { createGitHub } from '../../../src/github/client.ts';
import type { GitHubResponse } from '../../../src/github/request.ts';
import { noSignal } from '../../helpers/fake-github.ts';
import { githubToken } from '../../helpers/run-on-event.ts';
import { silence } from '../../helpers/scripted-api.ts';
import { type Reply, scriptedGitHub } from '../../helpers/scripted-github.ts';

const noProxy = () => ({ httpProxy: '', httpsProxy: '', noProxy: '' });

/** Sends one request to a GitHub with this reply, and counts the requests that arrive. */
async function send(
  reply: Reply,
  { timeoutMs = 3000, apiUrl = '' } = {},
): Promise<{ response: GitHubResponse; arrivals: number }> {
  const { url, close, arrivals } = await scriptedGitHub({ 'GET /it': reply });
  const github = createGitHub({
    apiUrl: apiUrl || url,
    graphqlUrl: `${url}/graphql`,
    readProxy: noProxy,
  });
  onTestFinished(async () => {
    await github.close();
    await close();
  });
  const request = { route: 'GET /it', timeoutMs, signal: noSignal };
  const response = await github.as(githubToken).send(request);
  return { response, arrivals: arrivals.length };
}

it.each([3000, 2999.3, 2 ** 31, Number.POSITIVE_INFINITY])(
  'reads a response with a time-out of %d ms',
  async (timeoutMs) => {
    const { response } = await send({ status: 200, body: [] }, { timeoutMs });
    expect(response).toEqual({ kind: 'response', status: 200, body: [] });
  },
);

it.each([
  ['application/json; charset=utf-8', { id: 7 }],
  ['application/vnd.github+json', { id: 7 }],
  ['text/html', '{"id":7}'],
  ['text/plain', '{"id":7}'],
  ['', '{"id":7}'],
])('takes only JSON that is called so for an answer of GitHub: %j', async (type, body) => {
  const { response } = await send({
    status: 200,
    headers: { 'content-type': type },
    body: '{"id":7}',
  });
  expect(response).toEqual({ kind: 'response', status: 200, body });
});

it.each([50, 50.5])('times out after %d ms', async (timeoutMs) => {
  const { response } = await send(silence, { timeoutMs });
  expect(response).toMatchObject({ kind: 'no-response', code: 'time-out' });
});

it.each([429, 500, 502])('sends a request once, even if the status is %d', async (status) => {
  const { response, arrivals } = await send({ status, body: { message: 'no' } });
  expect(response).toMatchObject({ status, body: { message: 'no' } });
  expect(arrivals).toBe(1);
});

it('prints nothing if GitHub deprecates a route', async () => {
  const printed = vi.spyOn(console, 'warn');
  const headers = { deprecation: 'true', sunset: 'soon', link: '<x>; rel="deprecation"' };
  const { response } = await send({ status: 200, body: [], headers });
  expect(response).toMatchObject({ status: 200 });
  expect(printed).not.toHaveBeenCalled();
});

it('sends nothing if the address is not a URL', async () => {
  expect(await send({ status: 200 }, { apiUrl: 'ghe.example' })).toEqual({
    response: { kind: 'no-response', code: 'no-address', neverLeft: true },
    arrivals: 0,
  });
});

it.each([301, 302, 307, 308])('follows a redirect within the API: %d', async (status) => {
  const server = await scriptedGitHub({
    'GET /it': { status, headers: { location: '/renamed' } },
    'GET /renamed': { status: 200, body: { id: 7 } },
  });
  const github = createGitHub({ apiUrl: server.url, graphqlUrl: '', readProxy: noProxy });
  onTestFinished(async () => {
    await github.close();
    await server.close();
  });
  const response = await github
    .as(githubToken)
    .send({ route: 'GET /it', timeoutMs: 3000, signal: noSignal });
  expect(response).toEqual({ kind: 'response', status: 200, body: { id: 7 } });
  expect(server.calls).toEqual(['GET /it', 'GET /renamed']);
});

it.each(['http://', '', 'http://127.0.0.1:9/it', '/it'])(
  'follows no redirect to %j',
  async (location) => {
    const { response } = await send({ status: 302, headers: { location } });
    expect(response).toMatchObject({ status: 302 });
  },
);
