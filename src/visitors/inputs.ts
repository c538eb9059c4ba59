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
  periodNames,
  readDay,
  type Span,
  spanBefore,
} from './period.ts';

const formatNames = ['csv', 'json'] as const;

export type FormatName = (typeof formatNames)[number];

/** The step's inputs in their final types. No other module reads the visitors action's inputs. */
export interface VisitorsInputs {
  readonly api: ApiInputs;
  readonly period: Span;
  /** `undefined` without a comparison. */
  readonly previousPeriod: Span | undefined;
  readonly format: FormatName;
  readonly outputFile: string;
  /** How many pages the output `top-pages` has. The tables of the summary have as many, or fewer. */
  readonly top: number;
  /** The folder of the docs, relative to the workspace; empty if `top-pages` may name any path. */
  readonly docsRoot: string;
  readonly maxRequests: number;
}

/**
 * GitHub ends a job after six hours, in which the API accepts 600 requests. Their 150,000 rows need less than
 * 1 GB of memory, and less than 4 GB if each path has 2,000 characters.
 */
const requestLimits = { min: 1, max: 600 };

/**
 * Masks the key, then reads and validates all inputs.
 * @param epochMs the current time, milliseconds since 1970
 * @throws ActionError for the first invalid input
 */
export function readVisitorsInputs(inputs: Inputs, epochMs: number): VisitorsInputs {
  const api = readApiInputs(inputs, 'read');
  const format = readChoice('format', inputs.read('format') || 'csv', formatNames);
  const period = readPeriod(inputs, dayAt(epochMs));
  const isCompared = readSwitch(inputs, 'compare');
  const top = readNumber('top', inputs.read('top') || '10', { min: 1, max: 100 });
  const maxRequests = readNumber(
    'max-requests',
    inputs.read('max-requests') || '90',
    requestLimits,
  );
  return {
    api,
    period,
    previousPeriod: isCompared ? previousPeriodOf(period, maxRequests) : undefined,
    format,
    outputFile: inputs.read('output-file') || defaultFile(period, format),
    top,
    docsRoot: inputs.read('docs-root'),
    maxRequests,
  };
}

/** The file's name has the days, so that exports of several periods can be in one folder. */
function defaultFile(period: Span, format: FormatName): string {
  return `visitors-${daysOf(period).replaceAll(' ', '-')}.${format}`;
}

function readPeriod(inputs: Inputs, today: Day): Span {
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
  return { from, to };
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
function previousPeriodOf(period: Span, maxRequests: number): Span {
  const before = spanBefore(period);
  if (before === undefined) {
    throw inputError(
      'compare',
      'is true, but the period has no start or no end',
      'give a period other than all, or both date-from and date-to',
    );
  }
  if (maxRequests < 2) {
    throw inputError('max-requests', 'is 1', 'a comparison needs at least two requests');
  }
  return before;
}
