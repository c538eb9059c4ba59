import { type ApiInputs, readApiInputs } from '../common/api-inputs.ts';
import { InputError } from '../runner/errors.ts';
import { type Inputs, readChoice, readSwitch, readWholeNumber } from '../runner/inputs.ts';
import { quoted } from '../text/plain.ts';
import { readDate, type WrittenDate } from './dates.ts';
import { namedPeriod, type Period, periodNames, writtenPeriod } from './period.ts';

export const formatNames = ['csv', 'json', 'ndjson'] as const;

export type FormatName = (typeof formatNames)[number];

/** The step's inputs in their final types. No other module reads the visitors action's inputs. */
export interface VisitorsInputs {
  readonly api: ApiInputs;
  readonly period: Period;
  /** Whether to export the previous period too; if so, `period.before` is set. */
  readonly isCompared: boolean;
  readonly format: FormatName;
  readonly outputFile: string;
  /** How many pages the summary and the output `top-pages` contain. */
  readonly top: number;
  readonly maxRequests: number;
  /** How many rows an earlier run over the same dates has already exported. */
  readonly offset: number;
}

/**
 * Masks the key, then reads and validates all inputs.
 * @param todayMs the current time, milliseconds since 1970
 * @throws InputError for the first invalid input
 */
export function readVisitorsInputs(inputs: Inputs, todayMs: number): VisitorsInputs {
  const api = readApiInputs(inputs, 'read');
  const format = readChoice('format', inputs.read('format') || 'csv', formatNames);
  const offset = readWhole(inputs, 'offset', '0', { min: 0, max: 1_000_000_000 });
  const read: VisitorsInputs = {
    api,
    period: readPeriod(inputs, todayMs),
    isCompared: readSwitch(inputs, 'compare'),
    format,
    outputFile: inputs.read('output-file') || defaultFile(format, offset),
    top: readWhole(inputs, 'top', '10', { min: 1, max: 100 }),
    maxRequests: readWhole(inputs, 'max-requests', '90', { min: 1, max: 10_000 }),
    offset,
  };
  if (read.isCompared) {
    refuseImpossibleComparison(read);
  }
  return read;
}

function readWhole(
  inputs: Inputs,
  name: string,
  defaultValue: string,
  limits: { readonly min: number; readonly max: number },
): number {
  return readWholeNumber(name, inputs.read(name) || defaultValue, limits);
}

/** The second part of an export must not overwrite the first one. */
function defaultFile(format: FormatName, offset: number): string {
  return offset === 0 ? `visitors.${format}` : `visitors-from-${offset}.${format}`;
}

function readPeriod(inputs: Inputs, todayMs: number): Period {
  const name = inputs.read('period');
  const from = readDateInput(inputs, 'date-from');
  const to = readDateInput(inputs, 'date-to');
  if (from === undefined && to === undefined) {
    return namedPeriod(readChoice('period', name || 'last-30-days', periodNames), todayMs);
  }
  if (name !== '') {
    const dates = from === undefined ? 'date-to' : 'date-from';
    throw new InputError(
      'period',
      `and input ${dates} are both given`,
      'give a period or dates, not both',
    );
  }
  if (from !== undefined && to !== undefined && from.atMs >= to.atMs) {
    throw new InputError(
      'date-to',
      `is ${quoted(to.text)}, which is not after date-from, ${quoted(from.text)}`,
      'date-to is the first day that is not included, so it must be after date-from',
    );
  }
  return writtenPeriod(from, to);
}

function readDateInput(inputs: Inputs, name: string): WrittenDate | undefined {
  const text = inputs.read(name);
  const date = text === '' ? undefined : readDate(text);
  if (text !== '' && date === undefined) {
    throw new InputError(
      name,
      `is ${quoted(text)}, which is not a date`,
      'write it as YYYY-MM-DD, or in ISO 8601 with a time, such as 2026-01-31T08:00:00Z',
    );
  }
  return date;
}

function refuseImpossibleComparison({ period, offset, maxRequests }: VisitorsInputs): void {
  if (period.before === undefined) {
    throw new InputError(
      'compare',
      'is true, but date-from or date-to is missing',
      'give a period, or both date-from and date-to',
    );
  }
  if (offset > 0) {
    throw new InputError(
      'compare',
      `is true, but offset is ${offset}`,
      'a comparison needs the whole list, so remove one of them',
    );
  }
  if (maxRequests < 2) {
    throw new InputError('max-requests', 'is 1', 'a comparison needs at least two requests');
  }
}
