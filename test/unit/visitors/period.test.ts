import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, dayText, readDate } from '../../../src/visitors/dates.ts';
import {
  namedPeriod,
  type Period,
  periodNames,
  writtenPeriod,
} from '../../../src/visitors/period.ts';

const dayMs = 86_400_000;

/** A period as `from..to (words) < from..to`. */
function shown({ range, words, before }: Period): string {
  const between = (of: Period['range']) => `${of.dateFrom ?? ''}..${of.dateTo ?? ''}`;
  return `${between(range)} (${words}) < ${before === undefined ? 'nothing' : between(before.range)}`;
}

function written(from: string, to: string): Period {
  return writtenPeriod(readDate(from), readDate(to));
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
      '2026-01-31T08:00Z',
      '2025-12-01..2026-01-01 (1–31 December 2025) < 2025-11-01..2025-12-01',
    ],
    [
      'last-month',
      '2026-03-10T08:00Z',
      '2026-02-01..2026-03-01 (1–28 February 2026) < 2026-01-01..2026-01-29',
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
      '2026-02-01..2026-03-01 (1–28 February 2026) < 2026-01-01..2026-01-29',
    ],
  ] as const)('%s on %s', (name, today, expected) => {
    expect(shown(namedPeriod(name, Date.parse(today)))).toBe(expected);
  });

  it('says why this-month is the previous month, but only on the first day of a month', () => {
    const notices = [1, 2, 28].map(
      (day) => namedPeriod('this-month', Date.UTC(2026, 1, day)).notice,
    );
    expect(notices).toEqual([
      'On the first day of a month, this-month has no whole day yet, so the previous month is used: 1–31 January 2026.',
      undefined,
      undefined,
    ]);
  });

  it('has whole days, without today, and a previous period that ends at its start or earlier', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...periodNames),
        fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
        (name, todayMs) => {
          const { range, before } = namedPeriod(name, todayMs);
          const days = [
            before?.range.dateFrom,
            before?.range.dateTo,
            range.dateFrom,
            range.dateTo,
          ].map((text) => Date.parse(text ?? '') / dayMs);
          const [beforeFrom = 0, beforeTo = 0, from = 0, to = 0] = days;
          expect(days.every(Number.isInteger)).toBe(true);
          expect(to).toBeLessThanOrEqual(dayOf(todayMs));
          expect(from).toBeLessThan(to);
          expect(beforeTo).toBeLessThanOrEqual(from);
          expect(beforeFrom).toBeLessThan(beforeTo);
          expect(beforeTo - beforeFrom).toBeLessThanOrEqual(to - from);
        },
      ),
    );
  });

  it('of a number of days is compared with as many days, right before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 0) }), (todayMs) => {
        const { range, before } = namedPeriod('last-30-days', todayMs);
        expect(before?.range.dateTo).toBe(range.dateFrom);
        expect(dayText(dayOf(Date.parse(range.dateTo ?? '')) - 60)).toBe(before?.range.dateFrom);
      }),
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
    [
      '2026-01-05',
      '2026-01-06',
      '2026-01-05..2026-01-06 (5 January 2026) < 2026-01-04..2026-01-05',
    ],
    ['2026-01-05', '', '2026-01-05.. (from 5 January 2026) < nothing'],
    ['', '2026-02-01', '..2026-02-01 (to 31 January 2026) < nothing'],
    [
      '2026-01-05T08:00Z',
      '2026-01-05T10:00+01:00',
      '2026-01-05T08:00Z..2026-01-05T10:00+01:00 (from 2026-01-05T08:00Z to before 2026-01-05T10:00+01:00) < 2026-01-05T07:00:00.000Z..2026-01-05T08:00Z',
    ],
  ])('%s to %s', (from, to, expected) => {
    expect(shown(written(from, to))).toBe(expected);
  });
});
