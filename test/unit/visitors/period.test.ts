import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateRangeOf,
  dayAt,
  daysOf,
  namedPeriod,
  periodNames,
  readDay,
  type Span,
  spanBefore,
} from '../../../src/visitors/period.ts';

const dayMs = 86_400_000;

/** A period as `from..to (days) < from..to`. */
function shown(period: Span): string {
  const between = (span: Span) => {
    const { dateFrom = '', dateTo = '' } = dateRangeOf(span);
    return `${dateFrom}..${dateTo}`;
  };
  const previous = spanBefore(period);
  const before = previous === undefined ? 'nothing' : between(previous);
  return `${between(period)} (${daysOf(period)}) < ${before}`;
}

describe('a period by its name', () => {
  it.each([
    [
      'last-7-days',
      '2026-01-05T00:00Z',
      '2025-12-29..2026-01-05 (2025-12-29 to 2026-01-04) < 2025-12-22..2025-12-29',
    ],
    [
      'last-30-days',
      '2026-03-31T23:59Z',
      '2026-03-01..2026-03-31 (2026-03-01 to 2026-03-30) < 2026-01-30..2026-03-01',
    ],
    [
      'last-90-days',
      '2024-03-01T12:00Z',
      '2023-12-02..2024-03-01 (2023-12-02 to 2024-02-29) < 2023-09-03..2023-12-02',
    ],
    [
      'last-month',
      '2026-02-14T08:00Z',
      '2026-01-01..2026-02-01 (2026-01-01 to 2026-01-31) < 2025-12-01..2026-01-01',
    ],
    [
      'last-month',
      '2024-04-10T08:00Z',
      '2024-03-01..2024-04-01 (2024-03-01 to 2024-03-31) < 2024-01-30..2024-03-01',
    ],
    [
      'this-month',
      '2026-01-02T08:00Z',
      '2026-01-01..2026-01-02 (2026-01-01) < 2025-12-31..2026-01-01',
    ],
    [
      'this-month',
      '2026-03-31T08:00Z',
      '2026-03-01..2026-03-31 (2026-03-01 to 2026-03-30) < 2026-01-30..2026-03-01',
    ],
    [
      'this-month',
      '2026-03-01T08:00Z',
      '2026-02-01..2026-03-01 (2026-02-01 to 2026-02-28) < 2026-01-04..2026-02-01',
    ],
  ] as const)('%s on %s', (name, today, expected) => {
    expect(shown(namedPeriod(name, dayAt(Date.parse(today))))).toBe(expected);
  });

  it('has whole days, without today', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...periodNames.filter((name) => name !== 'all')),
        fc.integer({ min: 0, max: Date.UTC(2100, 0) }),
        (name, epochMs) => {
          const { from = 0.5, to = 0.5 } = namedPeriod(name, dayAt(epochMs));
          expect([from, to].every(Number.isInteger)).toBe(true);
          expect(to).toBeLessThanOrEqual(epochMs / dayMs);
          expect(from).toBeLessThan(to);
        },
      ),
    );
  });

  it('all has no dates, and no previous period', () => {
    expect(shown(namedPeriod('all', dayAt(Date.UTC(2026, 1))))).toBe('.. (all days) < nothing');
  });
});

describe('written dates', () => {
  it.each([
    [
      '2026-01-01',
      '2026-02-01',
      '2026-01-01..2026-02-01 (2026-01-01 to 2026-01-31) < 2025-12-01..2026-01-01',
    ],
    [
      '2024-02-28',
      '2024-03-01',
      '2024-02-28..2024-03-01 (2024-02-28 to 2024-02-29) < 2024-02-26..2024-02-28',
    ],
    [
      '2026-01-31',
      '2026-02-02',
      '2026-01-31..2026-02-02 (2026-01-31 to 2026-02-01) < 2026-01-29..2026-01-31',
    ],
    ['2026-01-05', '', '2026-01-05.. (from 2026-01-05) < nothing'],
    ['', '2026-02-01', '..2026-02-01 (to 2026-01-31) < nothing'],
  ])('%s to %s', (from, to, expected) => {
    expect(shown({ from: readDay(from), to: readDay(to) })).toBe(expected);
  });

  it.each([
    ['2026-01-01', '2026-02-01', '2026-01-01 to 2026-01-31'],
    ['2026-01-05', '2026-01-06', '2026-01-05'],
    ['2026-01-05', '', 'from 2026-01-05'],
    ['', '2026-02-01', 'to 2026-01-31'],
    ['', '', 'all days'],
  ])('from %j to %j stand in files as %j', (from, to, expected) => {
    expect(daysOf({ from: readDay(from), to: readDay(to) })).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-1-1',
    '01.02.2026',
    'yesterday',
    '2026-02-30T08:00Z',
    '2026-01-01T08:00:00Z',
    '20260101',
    '-2026-01-01',
    '',
  ])('%j is none', (text) => {
    expect(readDay(text)).toBeUndefined();
  });
});
