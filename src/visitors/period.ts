import type { DateRange } from '../platform/visitors.ts';

const dayMs = 86_400_000;

/** A UTC day, counted from 1970-01-01. */
export type Day = number;

/** A range of days. Without a start or an end, the range is open on that side. */
export interface Span {
  readonly from?: Day | undefined;
  /** The first day that is not included. */
  readonly to?: Day | undefined;
}

export const periodNames = [
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-month',
  'this-month',
  'all',
] as const;

type PeriodName = (typeof periodNames)[number];

/** A period by its name. It never includes today; `all` is open on both sides. */
export function namedPeriod(name: PeriodName, today: Day): Span {
  switch (name) {
    case 'last-7-days':
      return { from: today - 7, to: today };
    case 'last-30-days':
      return { from: today - 30, to: today };
    case 'last-90-days':
      return { from: today - 90, to: today };
    case 'last-month':
      return { from: firstOfMonth(today, -1), to: firstOfMonth(today) };
    case 'this-month':
      // On the first of a month, that is the whole month before.
      return { from: firstOfMonth(today - 1), to: today };
    case 'all':
      return {};
  }
}

/**
 * The span that a comparison needs: as many days before the given span, because counts of unique visitors cannot be
 * converted to another number of days. `undefined` if the given span has no start or no end.
 */
export function spanBefore({ from, to }: Span): Span | undefined {
  return from === undefined || to === undefined
    ? undefined
    : { from: from - (to - from), to: from };
}

/** The first day of the month that is `months` after the month of `day`, or before if negative. */
function firstOfMonth(day: Day, months = 0): Day {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs;
}

/** The dates of a span for the API. */
export function dateRangeOf({ from, to }: Span): DateRange {
  return {
    ...(from !== undefined && { dateFrom: dayText(from) }),
    ...(to !== undefined && { dateTo: dayText(to) }),
  };
}

/**
 * The days of a span, including the last one: `2026-01-01 to 2026-01-31`. Without dates, the API decides which days it
 * counts.
 */
export function daysOf({ from, to }: Span): string {
  const first = from === undefined ? '' : dayText(from);
  const last = to === undefined ? '' : dayText(to - 1);
  if (first === last) {
    return first || 'all days';
  }
  if (first === '') {
    return `to ${last}`;
  }
  return last === '' ? `from ${first}` : `${first} to ${last}`;
}

/** The day of a time in milliseconds since 1970. */
export function dayAt(atMs: number): Day {
  return Math.floor(atMs / dayMs);
}

/** Parses `YYYY-MM-DD`; `undefined` for anything else. */
export function readDay(text: string): Day | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into 2 March.
  return Number.isNaN(atMs) || dayText(dayAt(atMs)) !== text ? undefined : dayAt(atMs);
}

/** `YYYY-MM-DD` */
export function dayText(day: Day): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
