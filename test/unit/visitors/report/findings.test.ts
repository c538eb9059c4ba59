import { describe, expect, it } from 'vitest';
import { createFinder } from '../../../../src/visitors/report/findings.ts';
import { page } from '../../../helpers/visitors-pages.ts';

describe('findings', () => {
  const shares = (human: number, ai: number) => ({ human, ai, total: human + ai });
  const pages = [
    page('/grew', { total: 100, previous: shares(10, 0) }),
    page('/shrank', { total: 10, previous: shares(100, 0) }),
    page('/gone', { total: 0, previous: shares(50, 0) }),
    page('/unknown', { total: 70 }),
    page('/more-ai', { ...shares(50, 50), previous: shares(90, 10) }),
    page('/less-ai', { ...shares(90, 10), previous: shares(60, 40) }),
    page('/few', { ...shares(0, 9), previous: shares(9, 0) }),
  ];
  const finder = createFinder(3);
  pages.forEach(finder.take);
  const found = finder.findings();
  const paths = (list: readonly { path: string }[]) => list.map(({ path }) => path);

  it('rank by visitors, whatever the order', () => {
    expect(paths(found.top)).toEqual(['/grew', '/more-ai', '/less-ai']);
  });

  it('have the pages that gained and lost, including those without visitors', () => {
    expect(paths(found.gained)).toEqual(['/grew']);
    expect(paths(found.lost)).toEqual(['/shrank', '/gone']);
  });

  it('pass over pages that hardly changed, however many visitors that is', () => {
    const changed = (path: string, total: number, before: number) =>
      page(path, { total, previous: shares(before, 0) });
    const changes = createFinder(9);
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

  it('have the pages whose share of AI changed, except those with few visitors', () => {
    expect(paths(found.shifted)).toEqual(['/more-ai', '/less-ai']);
  });

  it('have the pages that only AI reads', () => {
    expect(found.aiOnly.count).toBe(1);
    expect(paths(found.aiOnly.top)).toEqual(['/few']);
  });
});
