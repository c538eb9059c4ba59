import { type ApiInputs, readApiInputs } from '../common/api.ts';
import { type Inputs, readChoice, readNumber, readSwitch } from '../runner/inputs.ts';
import { inputError } from '../text/error.ts';
import { quoted } from '../text/plain.ts';
import {
  type Day,
  dayAt,
  daysOf,
  dayText,
  namedPeriod,
  type Period,
  type PreviousPeriod,
  periodBetween,
  periodNames,
  readDay,
  type Span,
} from './period.ts';

const formatNames = ['csv', 'json'] as const;

export type FormatName = (typeof formatNames)[number];

/** The step's inputs in their final types. No other module reads the visitors action's inputs. */
export interface VisitorsInputs {
  readonly api: ApiInputs;
  readonly period: Span;
  /** `undefined` without a comparison. */
  readonly previousPeriod: PreviousPeriod | undefined;
  readonly format: FormatName;
  readonly outputFile: string;
  /** How many pages the output `top-pages` has. The tables of the summary have as many, or fewer. */
  readonly top: number;
  /** The folder of the docs, relative to the workspace; empty if `top-pages` may name any path. */
  readonly docsRoot: string;
  readonly maxRequests: number;
  /** The number of rows to skip: an earlier run over the same dates has exported them. */
  readonly offset: number;
}

/**
 * Masks the key, then reads and validates all inputs.
 * @param todayMs the current time, milliseconds since 1970
 * @throws ActionError for the first invalid input
 */
export function readVisitorsInputs(inputs: Inputs, todayMs: number): VisitorsInputs {
  const api = readApiInputs(inputs, 'read');
  const format = readChoice('format', inputs.read('format') || 'csv', formatNames);
  const offset = readWhole(inputs, 'offset', '0', { min: 0, max: 1_000_000_000 });
  const period = readPeriod(inputs, dayAt(todayMs));
  const isCompared = readSwitch(inputs, 'compare');
  const top = readWhole(inputs, 'top', '10', { min: 1, max: 100 });
  const maxRequests = readWhole(inputs, 'max-requests', '90', { min: 1, max: 10_000 });
  return {
    api,
    period,
    previousPeriod: isCompared ? previousPeriodOf(period, offset, maxRequests) : undefined,
    format,
    outputFile: inputs.read('output-file') || defaultFile(period, format, offset),
    top,
    docsRoot: inputs.read('docs-root'),
    maxRequests,
    offset,
  };
}

function readWhole(
  inputs: Inputs,
  name: string,
  defaultValue: string,
  limits: { readonly min: number; readonly max: number },
): number {
  return readNumber(name, inputs.read(name) || defaultValue, limits);
}

/** The file's name has the days, so that exports of several periods can be in one folder. */
function defaultFile(period: Period, format: FormatName, offset: number): string {
  // The second part of an export must not overwrite the first one.
  const part = offset === 0 ? '' : `-offset-${offset}`;
  return `visitors-${daysOf(period).replaceAll(' ', '-')}${part}.${format}`;
}

function readPeriod(inputs: Inputs, today: Day): Period {
  const name = inputs.read('period');
  const from = readDateInput(inputs, 'date-from');
  const to = readDateInput(inputs, 'date-to');
  if (from === undefined && to === undefined) {
    return namedPeriod(readChoice('period', name || 'last-30-days', periodNames), today);
  }
  if (name !== '') {
    const dates = from === undefined ? 'date-to' : 'date-from';
    throw inputError(
      'period',
      `and input ${dates} are both given`,
      'give a period or dates, not both',
    );
  }
  if (from !== undefined && from > today) {
    throw inputError(
      'date-from',
      `is ${dayText(from)}, which is in the future`,
      'give a day that has begun, in UTC',
    );
  }
  if (from !== undefined && to !== undefined && from >= to) {
    throw inputError(
      'date-to',
      `is ${dayText(to)}, which is not after date-from, ${dayText(from)}`,
      'date-to is not included, so it must be after date-from',
    );
  }
  return periodBetween(from, to);
}

function readDateInput(inputs: Inputs, name: string): Day | undefined {
  const text = inputs.read(name);
  const day = readDay(text);
  if (text !== '' && day === undefined) {
    throw inputError(name, `is ${quoted(text)}, which is no day`, 'write it as YYYY-MM-DD');
  }
  return day;
}

/** @throws ActionError if the period or another input does not allow a comparison */
function previousPeriodOf({ before }: Period, offset: number, maxRequests: number): PreviousPeriod {
  if (before === undefined) {
    throw inputError(
      'compare',
      'is true, but the period has no start or no end',
      'give a period other than all, or both date-from and date-to',
    );
  }
  if (offset > 0) {
    throw inputError(
      'compare',
      `is true, but offset is ${offset}`,
      'a comparison needs the whole list, so remove one of them',
    );
  }
  if (maxRequests < 2) {
    throw inputError('max-requests', 'is 1', 'a comparison needs at least two requests');
  }
  return before;
}
