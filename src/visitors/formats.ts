import { type Options, stringify } from 'csv-stringify/sync';
import type { Counts } from '../platform/visitors.ts';
import type { Page } from './export.ts';
import type { FormatName } from './inputs.ts';
import { dateRangeOf, daysOf, type Span } from './period.ts';

/** Serialises an export, part by part. */
interface Format {
  begin(totals: Counts, previousTotals: Counts | undefined): string;
  pages(pages: readonly Page[]): string;
  end(): string;
}

/** A row of the file, with its fields in the order of the columns. */
type Row = Readonly<Record<string, string | number | null>>;

type ToRow = (page: Page) => Row;

/** @param before the previous period, in a comparison */
export function createFormat(name: FormatName, period: Span, before: Span | undefined): Format {
  const days = { days: daysOf(period) };
  const previousDays = before && { previous_days: daysOf(before) };
  const toRow: ToRow = (page) => ({
    path: page.path,
    ...figures(page),
    ...days,
    ...(before && { ...previousFigures(page.previous), ...previousDays }),
  });
  switch (name) {
    case 'csv':
      return csv(toRow);
    case 'json':
      return json(toRow, period, before);
    case 'ndjson':
      return {
        begin: () => '',
        pages: (pages) => pages.map((page) => `${JSON.stringify(toRow(page))}\n`).join(''),
        end: () => '',
      };
  }
}

/**
 * CSV as in RFC 4180, in UTF-8 without a byte order mark. The cell of an unknown figure is empty.
 */
function csv(toRow: ToRow): Format {
  const options: Options = {
    columns: Object.keys(toRow(emptyPage)),
    record_delimiter: 'windows',
    // In many locales, spreadsheets also split cells at semicolons, unless the cell is quoted.
    quoted_string: true,
    // Otherwise a lone line feed in a path would end the record for most parsers.
    quote_record_delimiter: true,
    // A spreadsheet would run a path that starts with "=" or a similar character.
    escape_formulas: true,
    // The library does not escape a leading line feed, which some spreadsheets skip.
    cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
  };
  return {
    begin: () => stringify([], { ...options, header: true }),
    pages: (pages) => stringify(pages.map(toRow), options),
    end: () => '',
  };
}

/** One JSON object with a row on each line, so that a diff of two files is readable. */
function json(toRow: ToRow, period: Span, before: Span | undefined): Format {
  let isFirst = true;
  return {
    begin(totals, previousTotals) {
      const allTotals = { ...figures(totals), ...(before && previousFigures(previousTotals)) };
      const fields = [
        `"period":${rangeJson(period)}`,
        ...(before ? [`"previous_period":${rangeJson(before)}`] : []),
        `"totals":${JSON.stringify(allTotals)}`,
        '"rows":[',
      ];
      return `{\n${fields.join(',\n')}`;
    },
    pages(pages) {
      const lines = pages.map((page) => JSON.stringify(toRow(page))).join(',\n');
      const separator = isFirst ? '\n' : ',\n';
      isFirst &&= lines === '';
      return lines === '' ? '' : `${separator}${lines}`;
    },
    end: () => '\n]\n}\n',
  };
}

function rangeJson(span: Span): string {
  const { dateFrom, dateTo } = dateRangeOf(span);
  return JSON.stringify({ date_from: dateFrom ?? null, date_to: dateTo ?? null });
}

function figures({ human, ai, total }: Counts): Row {
  return { human, ai, total };
}

function previousFigures(counts: Counts | undefined): Row {
  return {
    previous_human: counts?.human ?? null,
    previous_ai: counts?.ai ?? null,
    previous_total: counts?.total ?? null,
  };
}

const emptyPage: Page = { path: '', human: 0, ai: 0, total: 0, previous: undefined };
