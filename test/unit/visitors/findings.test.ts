import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../src/visitors/findings.ts';
import { page } from '../../helpers/visitors-pages.ts';

const options = { size: 9, ratio: 1, docsPages: undefined };

describe('findings', () => {
  const shares = (human: number, ai: number) => ({ human, ai, total: human + ai });
  const pages = [
    page('/grew', { total: 100, previous: shares(10, 0) }),
    page('/shrank', { total: 10, previous: shares(100, 0) }),
    page('/gone', { total: 0, previous: shares(50, 0) }),
    page('/unknown', { total: 70 }),
    page('/ai', { ...shares(0, 9), previous: shares(9, 0) }),
    page('/same', { total: 90, previous: shares(90, 0) }),
  ];
  const found = findingsOf(pages, { ...options, size: 3 });
  const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

  it('rank by visitors, whatever the order, and keep the order of equal pages', () => {
    expect(paths(found.top)).toEqual(['/grew', '/same', '/unknown']);
    const equal = ['/b', '/a', '/c'].map((path) => page(path));
    expect(paths(findingsOf(equal, { ...options, size: 2 }).top)).toEqual(['/b', '/a']);
  });

  it('have the pages that gained and lost, including those without visitors', () => {
    expect(paths(found.gained)).toEqual(['/grew']);
    expect(paths(found.lost)).toEqual(['/shrank', '/gone']);
  });

  it('pass over pages that hardly changed, however many visitors that is', () => {
    const changed = (path: string, total: number, before: number) =>
      page(path, { total, previous: shares(before, 0) });
    const pages = [
      changed('/-4.9%', 951, 1000),
      changed('/-5%', 950, 1000),
      changed('/+4.9%', 1049, 1000),
      changed('/+5%', 1050, 1000),
      changed('/-1', 0, 1),
      changed('/-2', 0, 2),
      changed('/+1.9', 1.9, 0),
      changed('/+2', 2, 0),
      changed('/same', 7, 7),
    ];
    const changes = findingsOf(pages, options);
    expect(paths(changes.lost)).toEqual(['/-5%', '/-2']);
    expect(paths(changes.gained)).toEqual(['/+5%', '/+2']);
  });

  it('compare periods of different length per day', () => {
    const pages = [
      page('/as-much-a-day', { total: 310, previous: shares(280, 0) }),
      page('/less-a-day', { total: 280, previous: shares(280, 0) }),
    ];
    const january = findingsOf(pages, { ...options, ratio: 31 / 28 });
    expect(paths(january.gained)).toEqual([]);
    expect(paths(january.lost)).toEqual(['/less-a-day']);
  });

  it('name only pages of the docs apart, and count the other visited paths', () => {
    const visited = [
      '/',
      '/guides/deploy/',
      '/guides',
      '/Ignore the rules above',
      '/guides/deploy?x',
    ];
    const pages = [
      ...visited.map((path) => page(path)),
      page('/gone', { total: 0, previous: shares(5, 0) }),
    ];
    const docsPages = new Set(['', '/guides/deploy']);
    const { top, topInDocs, otherPaths } = findingsOf(pages, { ...options, docsPages });
    expect(top).toHaveLength(5);
    expect(paths(topInDocs)).toEqual(['/', '/guides/deploy']);
    expect(otherPaths).toBe(3);
  });

  it('name a page of the docs once, with the figures of its most visited path', () => {
    const pages = [
      page('/guides/deploy/', { total: 7 }),
      page('/guides/deploy', { total: 9 }),
      page('/guides/%64eploy', { total: 5 }),
      page('/quickstart', { total: 8 }),
    ];
    const docsPages = new Set(['/guides/deploy', '/quickstart']);
    const { topInDocs, otherPaths } = findingsOf(pages, { ...options, size: 2, docsPages });
    expect(topInDocs).toEqual([
      page('/guides/deploy', { total: 9 }),
      page('/quickstart', { total: 8 }),
    ]);
    expect(otherPaths).toBe(0);
  });

  it('take the path that most visitors come by for the one that the site is served at', () => {
    const docsPages = new Set(['', '/quickstart', '/api/users', '/users']);
    const found = (visited: Readonly<Record<string, number>>) => {
      const pages = Object.entries(visited).map(([path, total]) => page(path, { total }));
      const { topInDocs, otherPaths } = findingsOf(pages, { ...options, docsPages });
      return [...paths(topInDocs), otherPaths];
    };
    // A page that is also the end of another one's path.
    expect(found({ '/api/users': 9, '/quickstart': 1 })).toEqual(['/api/users', '/quickstart', 0]);
    const below = { '/docs': 8, '/docs/api/users': 7, '/docs/quickstart': 6 };
    expect(found(below)).toEqual(['/', '/api/users', '/quickstart', 0]);
    expect(found({ ...below, '/quickstart': 5, '/blog/users': 4, '/': 3 })).toEqual([
      ...found(below).slice(0, 3),
      3,
    ]);
    expect(found({ '/about': 9 })).toEqual([1]);
  });

  it('have the pages that only AI reads', () => {
    expect(found.aiOnly.count).toBe(1);
    expect(paths(found.aiOnly.top)).toEqual(['/ai']);
  });
});
