import type { DateRange } from '../platform/visitors.ts';
import {
  type Day,
  dayOf,
  dayText,
  dayWords,
  firstOfMonth,
  rangeWords,
  type WrittenDate,
} from './dates.ts';

/** A range of dates, for the API and for people. */
export interface Span {
  readonly range: DateRange;
  /** Includes the last day: `1–31 January 2026`. */
  readonly words: string;
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

export type PeriodName = (typeof periodNames)[number];

/**
 * A period by its name. It consists of whole UTC days, and never includes today.
 * @param todayMs the current time, milliseconds since 1970
 */
export function namedPeriod(name: PeriodName, todayMs: number): Period {
  const today = dayOf(todayMs);
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
  }
}

/**
 * A period with a start, an end, or both, as the user wrote them.
 * @param to exclusive
 */
export function writtenPeriod(from: WrittenDate | undefined, to: WrittenDate | undefined): Period {
  const range = { ...(from && { dateFrom: from.text }), ...(to && { dateTo: to.text }) };
  return { range, words: wordsBetween(from, to), before: from && to && spanBefore(from, to) };
}

function lastDays(count: number, today: Day): Period {
  return { ...span(today - count, today), before: span(today - 2 * count, today - count) };
}

function lastMonth(today: Day): Period {
  return partOfMonth(firstOfMonth(today, -1), firstOfMonth(today));
}

function thisMonth(today: Day): Period {
  if (today !== firstOfMonth(today)) {
    return partOfMonth(firstOfMonth(today), today);
  }
  const whole = lastMonth(today);
  const notice = `On the first day of a month, this-month has no whole day yet, so the previous month is used: ${whole.words}.`;
  return { ...whole, notice };
}

/** Days from the first of a month. The previous period is the same days of the month before. */
function partOfMonth(first: Day, end: Day): Period {
  const firstBefore = firstOfMonth(first, -1);
  const endBefore = Math.min(firstBefore + (end - first), first);
  return { ...span(first, end), before: span(firstBefore, endBefore) };
}

function span(first: Day, end: Day): Span {
  const range = { dateFrom: dayText(first), dateTo: dayText(end) };
  return { range, words: rangeWords(first, end - 1) };
}

/** The previous period: as long as the one between two dates, and directly before it. */
function spanBefore(from: WrittenDate, to: WrittenDate): Span {
  const beginMs = from.atMs - (to.atMs - from.atMs);
  if (from.isDay && to.isDay) {
    return span(dayOf(beginMs), dayOf(from.atMs));
  }
  const begin = { text: new Date(beginMs).toISOString(), atMs: beginMs, isDay: false };
  const range = { dateFrom: begin.text, dateTo: from.text };
  return { range, words: wordsBetween(begin, from) };
}

function wordsBetween(from: WrittenDate | undefined, to: WrittenDate | undefined): string {
  if (from?.isDay && to?.isDay) {
    return rangeWords(dayOf(from.atMs), dayOf(to.atMs) - 1);
  }
  const begin = from && `from ${from.isDay ? dayWords(dayOf(from.atMs)) : from.text}`;
  const end = to && (to.isDay ? `to ${dayWords(dayOf(to.atMs) - 1)}` : `to before ${to.text}`);
  return [begin, end].filter((part) => part !== undefined).join(' ');
}
