import type { DateRange } from '../platform/visitors.ts';

const dayMs = 86_400_000;

/** A UTC day, counted from 1970-01-01. */
export type Day = number;

/** A range of whole days. Without a start or an end, it is open on that side. */
export interface Span {
  readonly from?: Day | undefined;
  /** The first day that is not included. */
  readonly to?: Day | undefined;
}

/** The period of an export. */
export interface Period extends Span {
  /** The previous period, which it is compared with; `undefined` if the period has no start or end. */
  readonly before: Span | undefined;
  /** Explains why this is not the period in the inputs. */
  readonly notice?: string;
}

export const periodNames = [
  'last-7-days',
  'last-30-days',
  'last-90-days',
  'last-month',
  'this-month',
] as const;

type PeriodName = (typeof periodNames)[number];

/**
 * A period by its name. It consists of whole UTC days, and never includes today.
 * @param todayMs the current time, milliseconds since 1970
 */
export function namedPeriod(name: PeriodName, todayMs: number): Period {
  const today = Math.floor(todayMs / dayMs);
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
  }
}

/**
 * A period with a start, an end, or both. The previous period is as long, and directly before it.
 * @param to the first day that is not included
 */
export function periodBetween(from: Day | undefined, to: Day | undefined): Period {
  if (from === undefined || to === undefined) {
    return { from, to, before: undefined };
  }
  return { from, to, before: { from: from - (to - from), to: from } };
}

/** The whole month before, compared with the whole month before that. */
function lastMonth(today: Day): Period {
  const [from, to] = [firstOfMonth(today, -1), firstOfMonth(today)];
  return { from, to, before: { from: firstOfMonth(today, -2), to: from } };
}

/** The days of this month, compared with the same days of the month before. */
function thisMonth(today: Day): Period {
  const from = firstOfMonth(today);
  if (today === from) {
    const whole = lastMonth(today);
    const notice = `On the first day of a month, this-month has no whole day yet, so the previous month is used: ${dayRange(whole)}.`;
    return { ...whole, notice };
  }
  const fromBefore = firstOfMonth(today, -1);
  const toBefore = Math.min(fromBefore + (today - from), from);
  return { from, to: today, before: { from: fromBefore, to: toBefore } };
}

/** The first day of the month that is `months` after the month of `day`, or before if negative. */
function firstOfMonth(day: Day, months = 0): Day {
  const date = dateOf(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs;
}

/**
 * How many times as long a span is as another one; 1 if one of them is open. With it, periods of
 * different length can be compared per day.
 */
export function lengthRatio(span: Span, other: Span): number {
  return (lengthOf(span) ?? 1) / (lengthOf(other) ?? lengthOf(span) ?? 1);
}

/** How many days a span has; `undefined` if it is open. */
export function lengthOf({ from, to }: Span): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** A span as the API takes it. */
export function dateRangeOf({ from, to }: Span): DateRange {
  return {
    ...(from !== undefined && { dateFrom: dayText(from) }),
    ...(to !== undefined && { dateTo: dayText(to) }),
  };
}

/** The days of a span, including the last one, for files: `2026-01-01 to 2026-01-31`. */
export function daysOf({ from, to }: Span): string {
  const first = from === undefined ? undefined : dayText(from);
  const last = to === undefined ? undefined : dayText(to - 1);
  if (first === undefined || last === undefined) {
    return first === undefined ? `to ${last}` : `from ${first}`;
  }
  return first === last ? first : `${first} to ${last}`;
}

/** The days of a span, including the last one, for people: `1–31 January 2026`. */
export function dayRange({ from, to }: Span): string {
  // Made here, because it loads the data of a language: a step whose inputs are refused does without.
  const english = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const first = from === undefined ? undefined : dateOf(from);
  const last = to === undefined ? undefined : dateOf(to - 1);
  if (first === undefined || last === undefined) {
    return first === undefined ? `to ${english.format(last)}` : `from ${english.format(first)}`;
  }
  // The formatter puts thin spaces around the dash.
  // The blanks around the dash depend on the version of Node.
  const range = english.formatRange(first, last).replaceAll('\u2009', ' ');
  return range.replace(/^(\d+) – (?=\d)/, '$1–');
}

/** Parses `YYYY-MM-DD`; `undefined` for anything else. */
export function readDay(text: string): Day | undefined {
  const atMs = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into 1 March.
  return Number.isNaN(atMs) || dayText(atMs / dayMs) !== text ? undefined : atMs / dayMs;
}

function dayText(day: Day): string {
  return dateOf(day).toISOString().slice(0, 10);
}

function dateOf(day: Day): Date {
  return new Date(day * dayMs);
}
