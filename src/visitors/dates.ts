const dayMs = 86_400_000;

/** A UTC day, counted from 1970-01-01. */
export type Day = number;

/** A date as the user wrote it, and the time it means. */
export interface WrittenDate {
  readonly text: string;
  /** Milliseconds since 1970; a time without a zone is in UTC. */
  readonly atMs: number;
  /** Whether the text is a whole day, `YYYY-MM-DD`. */
  readonly isDay: boolean;
}

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/u;

/** Parses `YYYY-MM-DD`, or an ISO 8601 date with a time; `undefined` for anything else. */
export function readDate(text: string): WrittenDate | undefined {
  const [, day = '', zone] = pattern.exec(text) ?? [];
  // Date.parse turns 30 February into 1 March, so the day is validated separately.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    return undefined;
  }
  const isDay = text === day;
  const atMs = Date.parse(isDay || zone !== undefined ? text : `${text}Z`);
  return Number.isNaN(atMs) ? undefined : { text, atMs, isDay };
}

export function dayOf(atMs: number): Day {
  return Math.floor(atMs / dayMs);
}

/** `YYYY-MM-DD` */
export function dayText(day: Day): string {
  return momentOf(day).toISOString().slice(0, 10);
}

/** The first day of the month that is `months` after the month of `day`, or before if negative. */
export function firstOfMonth(day: Day, months = 0): Day {
  const moment = momentOf(day);
  return dayOf(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months, 1));
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats a day: `5 January 2026`. */
export function dayWords(day: Day): string {
  return words(day, true, true);
}

/** Formats a range of days, including the last one: `1–31 January 2026`. */
export function rangeWords(first: Day, last: Day): string {
  const [from, to] = [momentOf(first), momentOf(last)];
  const sameYear = from.getUTCFullYear() === to.getUTCFullYear();
  const sameMonth = sameYear && from.getUTCMonth() === to.getUTCMonth();
  if (first === last) {
    return dayWords(last);
  }
  const dash = sameMonth ? '–' : ' – ';
  return `${words(first, !sameMonth, !sameYear)}${dash}${dayWords(last)}`;
}

function words(day: Day, withMonth: boolean, withYear: boolean): string {
  const moment = momentOf(day);
  const month = withMonth ? ` ${monthNames[moment.getUTCMonth()]}` : '';
  return `${moment.getUTCDate()}${month}${withYear ? ` ${moment.getUTCFullYear()}` : ''}`;
}

function momentOf(day: Day): Date {
  return new Date(day * dayMs);
}
