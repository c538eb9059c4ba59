import { type Options, stringify } from 'csv-stringify/sync';
import type { Counts } from '../platform/visitors.ts';
import type { PageFinder } from './docs-pages.ts';
import type { FormatName } from './inputs.ts';
import type { Page } from './page-list.ts';
import { dateRangeOf, daysOf, type Span } from './period.ts';

/** A row of the file, with its fields in the order of the columns. */
type Row = Readonly<Record<string, string | number | null>>;

interface FileContent {
  readonly period: Span;
  readonly totals: Counts;
  readonly pages: readonly Page[];
  /** The previous period; `undefined` without a comparison. */
  readonly before: { readonly period: Span; readonly totals: Counts } | undefined;
  /** Finds the file of each page for the column `file`; `undefined` if the docs are not checked out. */
  readonly find: PageFinder | undefined;
}

export function fileText(
  format: FormatName,
  { period, totals, pages, before, find }: FileContent,
): string {
  const days = { days: daysOf(period) };
  const previousDays = before && { previous_days: daysOf(before.period) };
  const toRow = (page: Page): Row => ({
    path: page.path,
    ...(find && { file: find(page.path)?.file ?? null }),
    ...figures(page),
    ...days,
    ...(before && { ...previousFigures(page.previous), ...previousDays }),
  });
  const rowsJson = () => pages.map((page) => onOneLine(JSON.stringify(toRow(page))));
  switch (format) {
    case 'csv':
      return csv(pages, toRow);
    case 'json': {
      const allTotals = { ...figures(totals), ...(before && previousFigures(before.totals)) };
      return [
        `{\n"period":${rangeJson(period)}`,
        ...(before ? [`"previous_period":${rangeJson(before.period)}`] : []),
        `"totals":${JSON.stringify(allTotals)}`,
        `"rows":[${rowsJson()
          .map((row) => `\n${row}`)
          .join(',')}\n]\n}\n`,
      ].join(',\n');
    }
    case 'ndjson':
      return rowsJson()
        .map((row) => `${row}\n`)
        .join('');
  }
}

/** JSON in which nothing looks like the end of a line, for those readers that know more than line feeds. */
function onOneLine(json: string): string {
  return json.replace(/[\x85\u2028\u2029]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** For more rows at once, the library needs much memory. */
const rowsAtOnce = 250;

/**
 * CSV as in RFC 4180, in UTF-8 without a byte order mark. The cell of an unknown figure is empty.
 */
function csv(pages: readonly Page[], toRow: (page: Page) => Row): string {
  const options: Options = {
    columns: Object.keys(toRow(emptyPage)),
    record_delimiter: 'windows',
    // In many locales, spreadsheets also split cells at semicolons, unless the cell is quoted. And a lone line
    // feed in a path would end the record for most parsers.
    quoted_string: true,
    // A spreadsheet would run a path that starts with "=" or a similar character.
    escape_formulas: true,
    // Some spreadsheets skip a line feed at the start, and would run what follows. The library does not escape it.
    cast: { string: (text) => (text.startsWith('\n') ? `'${text}` : text) },
  };
  const parts = [stringify([], { ...options, header: true })];
  for (let start = 0; start < pages.length; start += rowsAtOnce) {
    parts.push(stringify(pages.slice(start, start + rowsAtOnce).map(toRow), options));
  }
  return parts.join('');
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
