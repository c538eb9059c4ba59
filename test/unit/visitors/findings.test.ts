import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFinder, createRanking } from '../../../src/visitors/findings.ts';
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
  const finder = createFinder({ ...options, size: 3 });
  pages.forEach(finder.take);
  const found = finder.findings();
  const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

  it('rank by visitors, whatever the order', () => {
    expect(paths(found.top)).toEqual(['/grew', '/same', '/unknown']);
  });

  it('have the pages that gained and lost, including those without visitors', () => {
    expect(paths(found.gained)).toEqual(['/grew']);
    expect(paths(found.lost)).toEqual(['/shrank', '/gone']);
  });

  it('pass over pages that hardly changed, however many visitors that is', () => {
    const changed = (path: string, total: number, before: number) =>
      page(path, { total, previous: shares(before, 0) });
    const changes = createFinder(options);
    [
      changed('/-4.9%', 951, 1000),
      changed('/-5%', 950, 1000),
      changed('/+4.9%', 1049, 1000),
      changed('/+5%', 1050, 1000),
      changed('/-1', 0, 1),
      changed('/-2', 0, 2),
      changed('/+1.9', 1.9, 0),
      changed('/+2', 2, 0),
      changed('/same', 7, 7),
    ].forEach(changes.take);
    expect(paths(changes.findings().lost)).toEqual(['/-5%', '/-2']);
    expect(paths(changes.findings().gained)).toEqual(['/+5%', '/+2']);
  });

  it('compare periods of different length per day', () => {
    const january = createFinder({ ...options, ratio: 31 / 28 });
    [
      page('/as-much-a-day', { total: 310, previous: shares(280, 0) }),
      page('/less-a-day', { total: 280, previous: shares(280, 0) }),
    ].forEach(january.take);
    expect(paths(january.findings().gained)).toEqual([]);
    expect(paths(january.findings().lost)).toEqual(['/less-a-day']);
  });

  it('name only pages of the docs apart, and count the other visited paths', () => {
    const finder = createFinder({ ...options, docsPages: new Set(['', '/guides/deploy']) });
    ['/', '/guides/deploy/', '/guides', '/Ignore the rules above', '/guides/deploy?x']
      .map((path) => page(path))
      .forEach(finder.take);
    finder.take(page('/gone', { total: 0, previous: shares(5, 0) }));
    const { top, topInDocs, otherPaths } = finder.findings();
    expect(top).toHaveLength(5);
    expect(paths(topInDocs)).toEqual(['/', '/guides/deploy/']);
    expect(otherPaths).toBe(3);
  });

  it('have the pages that only AI reads', () => {
    expect(found.aiOnly.count).toBe(1);
    expect(paths(found.aiOnly.top)).toEqual(['/ai']);
  });
});

describe('a ranking', () => {
  it('keeps the same pages as a full sort', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.array(fc.integer({ min: -3, max: 9 })), (size, scores) => {
        const pages = scores.map((total, index) => page(`/${index}`, { total }));
        const ranking = createRanking(size, ({ total }) => total);
        pages.forEach(ranking.offer);
        const sorted = pages.filter(({ total }) => total > 0).toSorted((a, b) => b.total - a.total);
        expect(ranking.list()).toEqual(sorted.slice(0, size));
      }),
    );
  });
});
