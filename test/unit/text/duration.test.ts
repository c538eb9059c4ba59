import { expect, it } from 'vitest';
import { duration, fromTo, untilWhen } from '../../../src/text/duration.ts';

it.each([
  [0, '0 s'],
  [499, '0 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [200_000, '3 min 20 s'],
  [3_599_499, '59 min 59 s'],
  [3_599_500, '1 h'],
  [3_959_000, '1 h 5 min'],
])('%d ms are %s', (spanMs, words) => {
  expect(duration(spanMs)).toBe(words);
});

it.each([
  [40 * 60_000, 'until 2026-01-05 08:40 UTC (40 min)'],
  [40 * 60_000 + 59_000, 'until 2026-01-05 08:41 UTC (40 min 59 s)'],
  [30 * 86_400_000, 'until 2026-02-04 08:00 UTC (720 h)'],
  [30 * 86_400_000 + 1, 'for more than 30 days'],
])('a wait of %d ms ends %s', (spanMs, words) => {
  expect(untilWhen(spanMs, Date.UTC(2026, 0, 5, 8))).toBe(words);
});

it.each([
  [1_800_000, '08:30 UTC'],
  [1_740_001, '08:30 UTC'],
  [16 * 3_600_000 - 1, '2026-01-06 00:00 UTC'],
])('a wait of %d ms has a date for its end only on another day', (spanMs, end) => {
  const fromMs = Date.UTC(2026, 0, 5, 8);
  expect(fromTo(fromMs, fromMs + spanMs)).toEqual(['2026-01-05 08:00 UTC', end]);
});
