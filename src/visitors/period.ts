import type { DateRange } from '../platform/visitors.ts';

const dayMs = 86_400_000;

/** A UTC day, counted from 1970-01-01. */
type Day = number;

/** The start or the end of a span. */
export interface Moment {
  /** The text that is sent to the API. */
  readonly text: string;
  /** Milliseconds since 1970. A time without a zone is in UTC. */
  readonly atMs: number;
  /** Whether the text is a whole day, `YYYY-MM-DD`. */
  readonly isDay: boolean;
}

/** A range of dates. Without a start or an end, it is open on that side. */
export interface Span {
  readonly from?: Moment | undefined;
  /** The first moment that is not included. */
  readonly to?: Moment | undefined;
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

/**
 * A period by its name. It consists of whole UTC days, and never includes today; `all` is open on both
 * sides.
 * @param todayMs the current time, milliseconds since 1970
 */
export function namedPeriod(name: PeriodName, todayMs: number): Period {
  const today = Math.floor(todayMs / dayMs);
  switch (name) {
    case 'last-7-days':
      return lastDays(7, today);
    case 'last-30-days':
      return lastDays(30, today);
    case 'last-90-days':
      return lastDays(90, today);
    case 'last-month':
      return lastMonth(today);
    case 'this-month':
      return thisMonth(today);
    case 'all':
      return { before: undefined };
  }
}

/**
 * A period with a start, an end, or both. The previous period has the same length, and ends where this one starts.
 * @param to the first moment that is not included
 */
export function periodBetween(from: Moment | undefined, to: Moment | undefined): Period {
  if (from === undefined || to === undefined) {
    return { from, to, before: undefined };
  }
  const atMs = from.atMs - (to.atMs - from.atMs);
  const isDay = from.isDay && to.isDay;
  const text = isDay ? dayText(atMs) : new Date(atMs).toISOString();
  return compared({ from, to }, { from: { text, atMs, isDay }, to: from });
}

interface ClosedSpan {
  readonly from: Moment;
  readonly to: Moment;
}

function compared(span: ClosedSpan, before: ClosedSpan): Period {
  const lengthOf = ({ from, to }: ClosedSpan) => to.atMs - from.atMs;
  return { ...span, before: { ...before, lengthRatio: lengthOf(span) / lengthOf(before) } };
}

function lastDays(count: number, today: Day): Period {
  return periodBetween(startOf(today - count), startOf(today));
}

/** The month before the one of `today`, compared with the month before that. */
function lastMonth(today: Day): Period {
  const [from, to] = [firstOfMonth(today, -1), firstOfMonth(today)];
  return compared(days(from, to), days(firstOfMonth(today, -2), from));
}

/** The days of this month, compared with the same days of the month before. On the first of a month, it is the last month. */
function thisMonth(today: Day): Period {
  const from = firstOfMonth(today);
  if (today === from) {
    return lastMonth(today);
  }
  const fromBefore = firstOfMonth(today, -1);
  const toBefore = Math.min(fromBefore + (today - from), from);
  return compared(days(from, today), days(fromBefore, toBefore));
}

/** @param to the first day that is not included */
function days(from: Day, to: Day): ClosedSpan {
  return { from: startOf(from), to: startOf(to) };
}

function startOf(day: Day): Moment {
  const atMs = day * dayMs;
  return { text: dayText(atMs), atMs, isDay: true };
}

/** The first day of the month that is `months` after the month of `day`, or before if negative. */
function firstOfMonth(day: Day, months = 0): Day {
  const date = new Date(day * dayMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / dayMs;
}

/** The dates of a span for the API, as they were given. */
export function dateRangeOf({ from, to }: Span): DateRange {
  return {
    ...(from !== undefined && { dateFrom: from.text }),
    ...(to !== undefined && { dateTo: to.text }),
  };
}

/**
 * The days of a span for files, including the last one: `2026-01-01 to 2026-01-31`. An end that has a time is
 * left as it was given.
 */
export function daysOf({ from, to }: Span): string {
  const last = to && (to.isDay ? dayText(to.atMs - dayMs) : to.text);
  if (from === undefined || last === undefined) {
    return fromAndTo(from?.text, last) ?? 'all';
  }
  return from.text === last ? last : `${from.text} to ${last}`;
}

/** The days of a span for people, including the last one: `1–31 January 2026`. */
export function dayRange({ from, to }: Span): string {
  // Not made on import, because it loads the data of a language, which a step with invalid inputs does not need.
  const english = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  if (from?.isDay && to?.isDay) {
    const range = english.formatRange(from.atMs, to.atMs - dayMs).replaceAll('\u2009', ' ');
    // The blanks around the dash depend on the version of Node.
    return range.replace(/^(\d+) – (?=\d)/, '$1–');
  }
  const first = from && (from.isDay ? english.format(from.atMs) : from.text);
  const last = to && (to.isDay ? english.format(to.atMs - dayMs) : to.text);
  // The API decides which days it counts without dates.
  return fromAndTo(first, last) ?? 'all days that the API counts';
}

/** `undefined` if there is neither a start nor an end. */
function fromAndTo(first: string | undefined, last: string | undefined): string | undefined {
  const parts = [first && `from ${first}`, last && `to ${last}`].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? undefined : parts.join(' ');
}

const dateAndTime =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/u;

/** Parses `YYYY-MM-DD`, or a date of ISO 8601 with a time; `undefined` for anything else. */
export function readMoment(text: string): Moment | undefined {
  const [, day, zone] = dateAndTime.exec(text) ?? [];
  if (day === undefined) {
    return undefined;
  }
  const isDay = text === day;
  const atMs = Date.parse(isDay || zone !== undefined ? text : `${text}Z`);
  // Date.parse turns 30 February into 1 March.
  const isReal = !Number.isNaN(atMs) && dayText(Date.parse(day)) === day;
  return isReal ? { text, atMs, isDay } : undefined;
}

/** The day of a time, in UTC: `YYYY-MM-DD`. */
function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
