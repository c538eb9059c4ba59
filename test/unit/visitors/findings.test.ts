import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../../src/visitors/findings.ts';
import { page } from '../../helpers/visitors.ts';

describe('findings', () => {
  const shares = (human: number, ai = 0) => ({ human, ai, total: human + ai });
  const pages = [
    page('/grew', { total: 100, previous: shares(10, 0) }),
    page('/shrank', { total: 10, previous: shares(100, 0) }),
    page('/gone', { total: 0, previous: shares(50, 0) }),
    page('/unknown', { total: 70 }),
    page('/ai', { ...shares(0, 9), previous: shares(9, 0) }),
    page('/same', { total: 90, previous: shares(90, 0) }),
  ];
  const found = findingsOf(pages, 3, 1);
  const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

  it('rank by visitors, whatever the order, and keep the order of equal pages', () => {
    expect(paths(found.top)).toEqual(['/grew', '/same', '/unknown']);
    const equal = ['/b', '/a', '/c'].map((path) => page(path));
    expect(paths(findingsOf(equal, 2, 1).top)).toEqual(['/b', '/a']);
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
    const changes = findingsOf(pages, 9, 1);
    expect(paths(changes.lost)).toEqual(['/-5%', '/-2']);
    expect(paths(changes.gained)).toEqual(['/+5%', '/+2']);
  });

  it('compare periods of different length per day', () => {
    const pages = [
      page('/as-much-a-day', { total: 310, previous: shares(280, 0) }),
      page('/less-a-day', { total: 280, previous: shares(280, 0) }),
    ];
    const january = findingsOf(pages, 9, 31 / 28);
    expect(paths(january.gained)).toEqual([]);
    expect(paths(january.lost)).toEqual(['/less-a-day']);
  });

  it('have the pages that only AI reads', () => {
    // Approximate counts can contradict each other.
    const read = (path: string, ai: number) => page(path, { human: 0, ai, total: 20 - ai });
    const ai = [read('/few', 1), read('/most', 19), read('/more', 15)];
    const { count, top } = findingsOf([...pages, ...ai], 2, 1).aiOnly;
    expect([count, paths(top)]).toEqual([4, ['/most', '/more']]);
  });
});
