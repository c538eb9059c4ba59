import { expect, it, onTestFinished } from 'vitest';
import { readReaders } from '../../../../src/check/readers/readers.ts';
import { fakeRunner } from '../../../helpers/fake-runner.ts';
import { scriptedApi } from '../../../helpers/scripted-api.ts';

async function readFrom(baseUrl: string) {
  const runner = fakeRunner();
  const api = { apiKey: 'mint_1', projectId: 'acme', baseUrl: new URL(baseUrl), dashboardUrl: '' };
  const site = { root: '', address: undefined };
  const readers = await readReaders(api, ['index.mdx'], site, runner);
  return { readers, delaysMs: runner.clock.delaysMs };
}

it('names the failure, and does not insist', async () => {
  const api = await scriptedApi([{ status: 200 }]);
  await api.close();
  const { readers, delaysMs } = await readFrom(api.url);
  expect(readers).toEqual({
    kind: 'unknown',
    problem: expect.stringMatching(/^the API at 127\.0\.0\.1:\d+ refused the connection/),
  });
  expect(delaysMs).toEqual([5_000]);
});

it('does not wait as long as a rate limit asks', async () => {
  const api = await scriptedApi([{ status: 429, headers: { 'retry-after': '60' } }]);
  onTestFinished(() => api.close());
  const { readers, delaysMs } = await readFrom(api.url);
  expect(readers).toMatchObject({ problem: expect.stringContaining('429') });
  expect(delaysMs).toEqual([]);
});
