import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateRangeOf,
  dayRange,
  daysOf,
  namedPeriod,
  type Period,
  periodBetween,
  periodNames,
  readMoment,
  type Span,
} from '../../../src/visitors/period.ts';

const dayMs = 86_400_000;

/** A period as `from..to (days) < from..to`. */
function shown(period: Period): string {
  const between = (span: Span) => {
    const { dateFrom = '', dateTo = '' } = dateRangeOf(span);
    return `${dateFrom}..${dateTo}`;
  };
  const before = period.before === undefined ? 'nothing' : between(period.before);
  return `${between(period)} (${dayRange(period)}) < ${before}`;
}

describe('a period by its name', () => {
  it.each([
    [
      'last-7-days',
      '2026-01-05T00:00Z',
      '2025-12-29..2026-01-05 (29 December 2025 – 4 January 2026) < 2025-12-22..2025-12-29',
    ],
    [
      'last-30-days',
      '2026-03-31T23:59Z',
      '2026-03-01..2026-03-31 (1–30 March 2026) < 2026-01-30..2026-03-01',
    ],
    [
      'last-90-days',
      '2024-03-01T12:00Z',
      '2023-12-02..2024-03-01 (2 December 2023 – 29 February 2024) < 2023-09-03..2023-12-02',
    ],
    [
      'last-month',
      '2026-02-14T08:00Z',
      '2026-01-01..2026-02-01 (1–31 January 2026) < 2025-12-01..2026-01-01',
    ],
    [
      'last-month',
      '2024-04-10T08:00Z',
      '2024-03-01..2024-04-01 (1–31 March 2024) < 2024-02-01..2024-03-01',
    ],
    [
      'this-month',
      '2026-01-02T08:00Z',
      '2026-01-01..2026-01-02 (1 January 2026) < 2025-12-01..2025-12-02',
    ],
    [
      'this-month',
      '2026-03-31T08:00Z',
      '2026-03-01..2026-03-31 (1–30 March 2026) < 2026-02-01..2026-03-01',
    ],
    [
      'this-month',
      '2026-03-01T08:00Z',
      '2026-02-01..2026-03-01 (1–28 February 2026) < 2026-01-01..2026-02-01',
    ],
  ] as const)('%s on %s', (name, today, expected) => {
    expect(shown(namedPeriod(name, Date.parse(today)))).toBe(expected);
  });

  it.each([
    ['last-month', '2026-04-05', 31 / 28],
    ['last-month', '2024-03-05', 29 / 31],
    ['this-month', '2026-04-05', 1],
    ['this-month', '2026-03-31', 30 / 28],
  ] as const)('%s on %s is %d times as long as the one before', (name, today, ratio) => {
    const period = namedPeriod(name, Date.parse(today));
    expect(period.before?.lengthRatio).toBe(ratio);
  });

  it('has whole days, without today, and a previous period that ends at its start or earlier', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...periodNames.filter((name) => name !== 'all')),
        fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
        (name, todayMs) => {
          const { from: first, to: last, before: previous } = namedPeriod(name, todayMs);
          const days = [first, last, previous?.from, previous?.to];
          const [from = 0.5, to = 0.5, beforeFrom = 0.5, beforeTo = 0.5] = days.map(
            (day) => day && day.atMs / dayMs,
          );
          expect([from, to, beforeFrom, beforeTo].every(Number.isInteger)).toBe(true);
          expect(to).toBeLessThanOrEqual(todayMs / dayMs);
          expect(from).toBeLessThan(to);
          expect(beforeTo).toBeLessThanOrEqual(from);
          expect(beforeFrom).toBeLessThan(beforeTo);
        },
      ),
    );
  });

  it('all has no dates, and no previous period', () => {
    expect(shown(namedPeriod('all', Date.UTC(2026, 1)))).toBe(
      '.. (all days that the API counts) < nothing',
    );
  });
});

describe('written dates', () => {
  it.each([
    [
      '2026-01-01',
      '2026-02-01',
      '2026-01-01..2026-02-01 (1–31 January 2026) < 2025-12-01..2026-01-01',
    ],
    [
      '2024-02-28',
      '2024-03-01',
      '2024-02-28..2024-03-01 (28–29 February 2024) < 2024-02-26..2024-02-28',
    ],
    [
      '2026-01-31',
      '2026-02-02',
      '2026-01-31..2026-02-02 (31 January – 1 February 2026) < 2026-01-29..2026-01-31',
    ],
    ['2026-01-05', '', '2026-01-05.. (from 5 January 2026) < nothing'],
    ['', '2026-02-01', '..2026-02-01 (to 31 January 2026) < nothing'],
    [
      '2026-01-05T08:00:00Z',
      '2026-01-05T20:30+02:00',
      '2026-01-05T08:00:00Z..2026-01-05T20:30+02:00 (from 2026-01-05T08:00:00Z to 2026-01-05T20:30+02:00) < 2026-01-04T21:30:00.000Z..2026-01-05T08:00:00Z',
    ],
    [
      '2026-01-05',
      '2026-01-06T12:00',
      '2026-01-05..2026-01-06T12:00 (from 5 January 2026 to 2026-01-06T12:00) < 2026-01-03T12:00:00.000Z..2026-01-05',
    ],
    ['2026-01-05T08:00Z', '', '2026-01-05T08:00Z.. (from 2026-01-05T08:00Z) < nothing'],
  ])('%s to %s', (from, to, expected) => {
    expect(shown(periodBetween(readMoment(from), readMoment(to)))).toBe(expected);
  });

  it.each([
    ['2026-01-01', '2026-02-01', '2026-01-01 to 2026-01-31'],
    ['2026-01-05', '2026-01-06', '2026-01-05'],
    ['2026-01-05', '', 'from 2026-01-05'],
    ['', '2026-02-01', 'to 2026-01-31'],
    ['2026-01-01T08:00Z', '2026-02-01', '2026-01-01T08:00Z to 2026-01-31'],
    ['2026-01-01', '2026-01-31T08:00:00.5Z', '2026-01-01 to 2026-01-31T08:00:00.5Z'],
    ['', '', 'all'],
  ])('from %j to %j stand in files as %j', (from, to, expected) => {
    expect(daysOf({ from: readMoment(from), to: readMoment(to) })).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '01.02.2026',
    'yesterday',
    '2026-02-30T08:00Z',
    '2026-01-01T25:00Z',
    '2026-01-01T08:00 Z',
    '20260101',
    '-2026-01-01',
    '',
  ])('%j is none', (text) => {
    expect(readMoment(text)).toBeUndefined();
  });
});
