import type { DateRange } from '../platform/visitors.ts';

const dayMs = 86_400_000;

/** A UTC day, counted from 1970-01-01. */
export type Day = number;

/** A range of days. Without a start or an end, it is open on that side. */
export interface Span {
  readonly from?: Day | undefined;
  /** The first day that is not included. */
  readonly to?: Day | undefined;
}

export interface Period extends Span {
  /** `undefined` if the period has no start or no end. */
  readonly before: PreviousPeriod | undefined;
}

/** What a period is compared with. */
export interface PreviousPeriod extends Span {
  /** The length of the period divided by the length of this one, to compare figures per day. */
  readonly lengthRatio: number;
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
export function namedPeriod(name: PeriodName, today: Day): Period {
  switch (name) {
    case 'last-7-days':
      return periodBetween(today - 7, today);
    case 'last-30-days':
      return periodBetween(today - 30, today);
    case 'last-90-days':
      return periodBetween(today - 90, today);
    case 'last-month':
      return lastMonth(today);
    case 'this-month':
      return thisMonth(today);
    case 'all':
      return { before: undefined };
  }
}

/** A period with a start, an end, or both. The previous period has the same length, and ends where this one starts. */
export function periodBetween(from: Day | undefined, to: Day | undefined): Period {
  return from === undefined || to === undefined
    ? { from, to, before: undefined }
    : compared(from, to, from - (to - from), from);
}

/** The month before the one of `today`, compared with the month before that. */
function lastMonth(today: Day): Period {
  const [from, to] = [firstOfMonth(today, -1), firstOfMonth(today)];
  return compared(from, to, firstOfMonth(today, -2), from);
}

/** The days of this month, compared with the same days of the month before. On the first of a month, it is the last month. */
function thisMonth(today: Day): Period {
  const from = firstOfMonth(today);
  if (today === from) {
    return lastMonth(today);
  }
  const fromBefore = firstOfMonth(today, -1);
  return compared(from, today, fromBefore, Math.min(fromBefore + (today - from), from));
}

function compared(from: Day, to: Day, fromBefore: Day, toBefore: Day): Period {
  const lengthRatio = (to - from) / (toBefore - fromBefore);
  return { from, to, before: { from: fromBefore, to: toBefore, lengthRatio } };
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

/** The days of a span for files, including the last one: `2026-01-01 to 2026-01-31`. */
export function daysOf({ from, to }: Span): string {
  const first = from === undefined ? undefined : dayText(from);
  const last = to === undefined ? undefined : dayText(to - 1);
  if (first === undefined || last === undefined) {
    return fromOrTo(first, last) ?? 'all';
  }
  return first === last ? last : `${first} to ${last}`;
}

/** The days of a span for people, including the last one: `1–31 January 2026`. */
export function dayRange({ from, to }: Span): string {
  // Not made on import, because it loads the data of a language, which a step with invalid inputs does not need.
  const english = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  if (from !== undefined && to !== undefined) {
    const range = english.formatRange(from * dayMs, (to - 1) * dayMs).replaceAll('\u2009', ' ');
    // The blanks around the dash depend on the version of Node.
    return range.replace(/^(\d+) – (?=\d)/, '$1–');
  }
  const first = from === undefined ? undefined : english.format(from * dayMs);
  const last = to === undefined ? undefined : english.format((to - 1) * dayMs);
  // The API decides which days it counts without dates.
  return fromOrTo(first, last) ?? 'all days that the API counts';
}

/** The text of a span that is open on a side; `undefined` if it is open on both. */
function fromOrTo(first: string | undefined, last: string | undefined): string | undefined {
  return first === undefined ? last && `to ${last}` : `from ${first}`;
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
