import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { change, grouped, percent, points, sumOf } from '../../../src/text/number.ts';

describe('numbers for people', () => {
  it('are grouped by three digits', () => {
    expect([0, 999, 1000, 12_345, 1_234_567].map(grouped)).toEqual([
      '0',
      '999',
      '1,000',
      '12,345',
      '1,234,567',
    ]);
  });

  it('keep their fractions, which are not grouped', () => {
    expect([0.5, 999.25, 1000.125, 12_345.678901, 1_234_567.1234567].map(grouped)).toEqual([
      '0.5',
      '999.25',
      '1,000.125',
      '12,345.678901',
      '1,234,567.1234567',
    ]);
  });

  it('have all their digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e15, noNaN: true }), (count) => {
        expect(grouped(count).replaceAll(',', '')).toBe(String(count));
        expect(grouped(count)).not.toMatch(
          /,(?!\d{3}(?:,|\.|$))|\..*,|\d{4,}(?=[,.])|\d{4}$(?<!\..*)/,
        );
      }),
    );
  });

  it('add up without the noise of binary fractions', () => {
    expect(sumOf(0.1, 0.2)).toBe(0.3);
    expect(sumOf(0.3, -0.1)).toBe(0.2);
    expect(sumOf(0.1, 0.2, -0.3)).toBe(0);
    expect(sumOf(0.30000000000000004, -0.3)).toBe(0);
    expect(sumOf(1e-5, 2e-6)).toBe(1.2e-5);
    expect(sumOf(1e-7, 2e-7)).toBe(0);
    expect(sumOf(1e300, 0.5)).toBe(1e300);
    const cents = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 4 }), (terms) => {
        const sum = terms.reduce((before, term) => before + term, 0);
        expect(sumOf(...terms)).toBe(sum);
        expect(sumOf(...terms.map((term) => term / 100)) + 0).toBe(sum / 100 + 0);
      }),
    );
  });

  it('are shares', () => {
    expect([0, 0.0001, 0.004, 0.126, 1, 4].map(percent)).toEqual([
      '0%',
      '0.1%',
      '0.4%',
      '13%',
      '100%',
      '400%',
    ]);
  });

  it('are changes', () => {
    expect([change(1200, 1000), change(5, 8), change(7, 7), change(3, 0), change(0, 9)]).toEqual([
      '+200 (+20%)',
      '−3 (−38%)',
      '±0',
      '+3',
      '−9 (−100%)',
    ]);
    expect([change(12.3, 12.1), change(0.5, 8), change(0.3, 0.1 + 0.2)]).toEqual([
      '+0.2 (+2%)',
      '−7.5 (−94%)',
      '±0',
    ]);
    expect([points(0.5, 0.25), points(0.1, 0.1234), points(0.1, 0.1)]).toEqual([
      '+25.0 points',
      '−2.3 points',
      '±0.0 points',
    ]);
  });
});
