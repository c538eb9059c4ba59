import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRanking } from '../../../../src/visitors/report/ranking.ts';

describe('a ranking', () => {
  it('keeps the same items as a full sort', () => {
    fc.assert(
      fc.property(fc.nat({ max: 8 }), fc.array(fc.integer({ min: -3, max: 9 })), (size, scores) => {
        const items = scores.map((score, index) => ({ score, index }));
        const ranking = createRanking<(typeof items)[number]>(size, ({ score }) => score);
        items.forEach(ranking.offer);
        const sorted = items
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score || a.index - b.index);
        expect(ranking.list()).toEqual(sorted.slice(0, size));
      }),
    );
  });
});
