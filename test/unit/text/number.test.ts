import { expect, it } from 'vitest';
import { change, grouped, percent, points } from '../../../src/text/number.ts';

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('%d has all its digits, in groups of three', (count, text) => {
  expect(grouped(count)).toBe(text);
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
  [0, 0, '±0'],
])('%d after %d is a change of %s', (now, before, text) => {
  expect(change(now, before)).toBe(text);
});

it('shares change by points', () => {
  const shares = [points(1, 0), points(0.1, 0.1234), points(0.1, 0.1)];
  expect(shares).toEqual(['+100.0 points', '−2.3 points', '±0.0 points']);
});
