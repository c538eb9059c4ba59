import { type Options, stringify } from 'csv-stringify/sync';
import type { Counts } from '../platform/visitors.ts';
import type { PageFinder } from './docs-pages.ts';
import type { FormatName } from './inputs.ts';
import { noVisitors, type PageList, type VisitedPage } from './page-list.ts';
import { dateRangeOf, daysOf, type Span } from './period.ts';

/** A row of the file, with its fields in the order of the columns. */
type Row = Readonly<Record<string, string | number | null>>;

interface FileContent {
  readonly list: Pick<PageList, 'period' | 'totals'>;
  /** The previous period; `undefined` without a comparison. */
  readonly before: Pick<PageList, 'period' | 'totals'> | undefined;
  readonly pages: readonly VisitedPage[];
  /** Finds the file of each page for the column `file`; `undefined` if the docs are not checked out. */
  readonly find: PageFinder | undefined;
}

export function fileText(format: FormatName, content: FileContent): string {
  switch (format) {
    case 'csv':
      return csv(content);
    case 'json':
      return json(content);
  }
}

function toRow(
  { path, previous, ...counts }: VisitedPage,
  { list, before, find }: FileContent,
): Row {
  return {
    path,
    ...(find && { file: find(path)?.file ?? null }),
    ...figures(counts),
    days: daysOf(list.period),
    ...(before && { ...previousFigures(previous), previous_days: daysOf(before.period) }),
  };
}

function json(content: FileContent): string {
  const { list, pages, before } = content;
  const allTotals = { ...figures(list.totals), ...(before && previousFigures(before.totals)) };
  const rows = pages.map((page) => `\n${JSON.stringify(toRow(page, content))}`);
  return [
    `{\n"period":${rangeJson(list.period)}`,
    ...(before ? [`"previous_period":${rangeJson(before.period)}`] : []),
    `"totals":${JSON.stringify(allTotals)}`,
    `"rows":[${rows.join(',')}\n]\n}\n`,
  ].join(',\n');
}

/** The library needs much memory for more rows at once. */
const rowsAtOnce = 250;

/** CSV as in RFC 4180, in UTF-8 without a byte order mark. The cell of an unknown figure is empty. */
function csv(content: FileContent): string {
  const { pages } = content;
  const options: Options = {
    columns: Object.keys(toRow({ path: '', ...noVisitors, previous: undefined }, content)),
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
    const rows = pages.slice(start, start + rowsAtOnce).map((page) => toRow(page, content));
    parts.push(stringify(rows, options));
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
