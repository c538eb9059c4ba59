import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  change,
  grouped,
  percent,
  points,
  relativeChange,
  sumOf,
} from '../../../src/text/number.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [999.25, '999.25'],
  [1000.125, '1,000.125'],
  [1_234_567.1234567, '1,234,567.1234567'],
])('%d has all its digits, in groups of three before the point', (count, text) => {
  expect(grouped(count)).toBe(text);
});

it('sums have no noise of binary fractions', () => {
  const sums = [sumOf(0.1, 0.2), sumOf(0.3, -0.1), sumOf(1e-5, 2e-6), sumOf(1e-7, 2e-7)];
  expect(sums).toEqual([0.3, 0.2, 1.2e-5, 0]);
  expect(sumOf(1e300, 0.5)).toBe(1e300);
  const cents = fc.integer({ min: -1e9, max: 1e9 });
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 4 }), (terms) => {
      const sum = terms.reduce((before, term) => before + term, 0);
      expect(sumOf(...terms.map((term) => term / 100)) + 0).toBe(sum / 100 + 0);
    }),
  );
});

it.each([
  [0, '0%'],
  [0.0001, '0.1%'],
  [0.004, '0.4%'],
  [0.0094, '0.9%'],
  [0.0096, '1%'],
  [0.01, '1%'],
  [0.126, '13%'],
  [4, '400%'],
])('a share of %d is %s', (share, text) => {
  expect(percent(share)).toBe(text);
});

it.each([
  [1200, 1000, '+200 (+20%)'],
  [5, 8, '−3 (−38%)'],
  [7, 7, '±0'],
  [3, 0, '+3'],
  [0, 9, '−9 (−100%)'],
  [12.3, 12.1, '+0.2 (+2%)'],
  [0.3, 0.1 + 0.2, '±0'],
])('%d after %d is a change of %s', (now, before, text) => {
  expect(change(now, before)).toBe(text);
});

it('changes are relative to what was before, and shares change by points', () => {
  const changes = [relativeChange(110, 100), relativeChange(7, 7), relativeChange(3, 0)];
  expect(changes).toEqual(['+10%', '±0%', '']);
  const shares = [points(1, 0), points(0.1, 0.1234), points(0.1, 0.1)];
  expect(shares).toEqual(['+100.0 points', '−2.3 points', '±0.0 points']);
});
