import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { createSafeFetch } from '../../../src/github/safe-fetch.ts';
import { githubToken } from '../../helpers/run-on-event.ts';
import { type Reply, type ScriptedGitHub, scriptedGitHub } from '../../helpers/scripted-github.ts';

async function start(reply: Reply): Promise<ScriptedGitHub> {
  const github = await scriptedGitHub({ 'GET /it': reply });
  onTestFinished(() => github.close());
  return github;
}

async function get(address: string, origin: string): Promise<Response> {
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  const headers = { authorization: `token ${githubToken}` };
  return await createSafeFetch(origin, dispatcher)(address, {
    method: 'GET',
    headers,
  });
}

it('sends nothing to another origin than the API', async () => {
  const [api, other] = [await start({ status: 200 }), await start({ status: 200 })];
  await expect(get(`${other.url}/it`, api.url)).rejects.toThrow('to the origin of the API only');
  expect(other.calls).toEqual([]);
});

it.each([204, 205, 304])('reads a response with status %d, which has no body', async (status) => {
  const github = await start({ status });
  const response = await get(`${github.url}/it`, github.url);
  expect(response.status).toBe(status);
  expect(response.body).toBeNull();
});

it('adds no content type to a response without one', async () => {
  const github = await start((_request, response) => void response.end('text'));
  const response = await get(`${github.url}/it`, github.url);
  expect(await response.text()).toBe('text');
  expect(response.headers.get('content-type')).not.toContain('json');
});

it.each(['http://', ''])('returns a redirect to %j unchanged', async (location) => {
  const github = await start({ status: 302, headers: { location } });
  const response = await get(`${github.url}/it`, github.url);
  expect(response.status).toBe(302);
});
