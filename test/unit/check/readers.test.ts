import { describe, expect, it, onTestFinished } from 'vitest';
import { countVisitors, readVisitors } from '../../../src/check/readers.ts';
import { changeOf, docsJson } from '../../helpers/change.ts';
import { fakeRunner } from '../../helpers/fake-runner.ts';
import { closedUrl, scriptedApi } from '../../helpers/scripted-api.ts';

async function readFrom(baseUrl: string) {
  const runner = fakeRunner();
  const api = { apiKey: 'mint_1', projectId: 'acme', baseUrl: new URL(baseUrl), dashboardUrl: '' };
  const { before } = changeOf({ before: { 'index.mdx': 'Home.' }, after: {} });
  const visitors = await readVisitors(api, [{ path: 'index.mdx' }], before, runner);
  expect(visitors).toBeUndefined();
  return { notices: runner.told, delaysMs: runner.clock.delaysMs };
}

it('names the failure, and does not insist', async () => {
  const { notices, delaysMs } = await readFrom(closedUrl);
  expect(notices).toEqual([
    expect.stringMatching(/because the API at 127\.0\.0\.1:\d+ refused the connection/),
  ]);
  expect(delaysMs).toEqual([]);
});

it('does not wait as long as a rate limit asks', async () => {
  const api = await scriptedApi([{ status: 429, headers: { 'retry-after': '60' } }]);
  onTestFinished(() => api.close());
  const { notices, delaysMs } = await readFrom(api.url);
  expect(notices).toEqual([expect.stringContaining('429')]);
  expect(delaysMs).toEqual([]);
});

const row = (path: string, total: number) => ({ path, human: total, ai: 0, total });

describe('the visitors of pages', () => {
  const pages = [
    { path: 'docs/index.mdx' },
    { path: 'docs/guides/setup.mdx' },
    { path: 'docs/guides/index.md' },
    { path: 'docs/Proxy.mdx' },
    { path: 'docs/new.mdx', previousPath: 'docs/moved.mdx' },
  ];

  const settings = 'docs/docs.json';
  const address = { canonical: 'https://acme.example/help' };
  const texts = {
    ...Object.fromEntries(pages.map(({ path, previousPath = path }) => [previousPath, 'Text.'])),
    [settings]: docsJson(['index'], { seo: { metatags: address } }),
  };
  const { before } = changeOf({ before: texts, after: texts, settings });

  const counted = (...rows: readonly ReturnType<typeof row>[]) =>
    Object.fromEntries(countVisitors(rows, pages, before));

  it.each([
    ['/guides/setup', 'docs/guides/setup.mdx'],
    ['/guides/setup/', 'docs/guides/setup.mdx'],
    ['/help/guides/setup', 'docs/guides/setup.mdx'],
    ['/guides/setup.md', 'docs/guides/setup.mdx'],
    ['/guides/setup?from=mail#top', 'docs/guides/setup.mdx'],
    ['/guides', 'docs/guides/index.md'],
    ['/', 'docs/index.mdx'],
    ['/help', 'docs/index.mdx'],
    ['/proxy', 'docs/Proxy.mdx'],
    ['/moved', 'docs/new.mdx'],
  ])('count %s for %s', (path, page) => {
    expect(counted(row(path, 7))).toEqual({ [page]: 7 });
  });

  it.each(['/setup', '/guides/other/setup', '/new', ''.padEnd(9, 'x')])(
    'do not count %s',
    (path) => {
      expect(counted(row(path, 7))).toEqual({});
    },
  );

  it('are those of the most visited spelling, because counts do not add up', () => {
    expect(counted(row('/proxy', 7), row('/proxy/', 9), row('/help/proxy', 2))).toEqual({
      'docs/Proxy.mdx': 9,
    });
  });
});
