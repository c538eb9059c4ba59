import { expect, it, onTestFinished } from 'vitest';
import { createGitHub } from '../../../src/github/client.ts';
import { noSignal } from '../../helpers/fake-github.ts';
import { githubToken } from '../../helpers/run-on-event.ts';
import { type Reply, scriptedGitHub } from '../../helpers/scripted-github.ts';
import { silence } from '../../helpers/scripted-api.ts';

async function call(reply: Reply, timeoutMs: number) {
  const { url, close } = await scriptedGitHub({ 'GET /it': reply });
  const github = createGitHub({
    apiUrl: url,
    graphqlUrl: `${url}/graphql`,
    readProxy: () => ({ httpProxy: '', httpsProxy: '', noProxy: '' }),
  });
  onTestFinished(async () => {
    await github.close();
    await close();
  });
  return await github.as(githubToken).exchange({ route: 'GET /it', timeoutMs, signal: noSignal });
}

it.each([3000, 2999.3, 2 ** 31, Number.POSITIVE_INFINITY])(
  'reads an answer, where it may take %d ms',
  async (timeoutMs) => {
    await expect(call({ status: 200, body: [] }, timeoutMs)).resolves.toMatchObject({
      status: 200,
    });
  },
);

it.each([50, 50.5])('gives a call up after %d ms', async (timeoutMs) => {
  await expect(call(silence, timeoutMs)).resolves.toEqual({
    kind: 'no-response',
    code: 'time-out',
  });
});
