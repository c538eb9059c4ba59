import { describe, expect, it } from 'vitest';
import { countVisitors } from '../../../../src/check/readers/match.ts';

const row = (path: string, total: number) => ({ path, human: total, ai: 0, total });

describe('the visitors of pages', () => {
  const site = { root: 'docs', address: 'https://acme.example/help/' };
  const pages = [
    'docs/index.mdx',
    'docs/guides/setup.mdx',
    'docs/guides/index.md',
    'docs/Proxy.mdx',
  ];

  const counted = (...rows: readonly ReturnType<typeof row>[]) => {
    const visitors = countVisitors(pages, site);
    visitors.take(rows);
    return Object.fromEntries(visitors.counts());
  };

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
  ])('count %s for %s', (path, page) => {
    expect(counted(row(path, 7))).toEqual({ [page]: 7 });
  });

  it.each(['/setup', '/other/guides/setup', '/helpguides/setup', ''.padEnd(9, 'x')])(
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
