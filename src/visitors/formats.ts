import type { Options } from 'csv-stringify/sync';
import type { Counts } from '../platform/visitor.ts';
import type { FormatName } from './inputs.ts';
import type { Page } from './page.ts';
import type { Span } from './period.ts';

/** The data at the beginning of a file. */
export interface Head {
  readonly period: Span;
  readonly totals: Counts;
  /** The previous period, in a comparison. */
  readonly before: { readonly span: Span; readonly totals: Counts } | undefined;
}

/** Serialises an export, part by part. */
export interface Format {
  begin(head: Head): string;
  pages(pages: readonly Page[]): string;
  end(): string;
}

/**
 * Loads a format, and the library that it needs.
 * @param isCompared whether pages have the figures of the previous period
 */
export async function loadFormat(name: FormatName, isCompared: boolean): Promise<Format> {
  switch (name) {
    case 'csv': {
      const { stringify } = await import('csv-stringify/sync');
      return csv(stringify, isCompared);
    }
    case 'json':
      return json(isCompared);
    case 'ndjson':
      return {
        begin: () => '',
        pages: (pages) => pages.map((page) => `${rowJson(page, isCompared)}\n`).join(''),
        end: () => '',
      };
  }
}

/**
 * CSV as in RFC 4180, in UTF-8 without a byte order mark. The cell of an unknown figure is empty.
 */
function csv(stringify: (rows: object[], options: Options) => string, isCompared: boolean): Format {
  const columns = Object.keys(row(emptyPage, isCompared));
  const options: Options = {
    columns,
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
    pages: (pages) =>
      stringify(
        pages.map((page) => row(page, isCompared)),
        options,
      ),
    end: () => '',
  };
}

/** One JSON object with a row on each line, so that a diff of two files is readable. */
function json(isCompared: boolean): Format {
  let isFirst = true;
  return {
    begin({ period, totals, before }) {
      const fields = [
        `"period":${rangeJson(period)}`,
        before ? `"previous_period":${rangeJson(before.span)}` : '',
        `"totals":${JSON.stringify({ ...figures(totals), ...(before && previousFigures(before.totals)) })}`,
        '"rows":[',
      ];
      return `{\n${fields.filter((field) => field !== '').join(',\n')}`;
    },
    pages(pages) {
      const lines = pages.map((page) => rowJson(page, isCompared)).join(',\n');
      const separator = isFirst ? '\n' : ',\n';
      isFirst &&= lines === '';
      return lines === '' ? '' : `${separator}${lines}`;
    },
    end: () => '\n]\n}\n',
  };
}

function rangeJson({ range }: Span): string {
  return JSON.stringify({ date_from: range.dateFrom ?? null, date_to: range.dateTo ?? null });
}

function rowJson(page: Page, isCompared: boolean): string {
  return JSON.stringify(row(page, isCompared));
}

/** A row, with its fields in the order of the columns. */
function row(page: Page, isCompared: boolean): object {
  const known = { path: page.path, ...figures(page) };
  return isCompared ? { ...known, ...previousFigures(page.previous) } : known;
}

function figures({ human, ai, total }: Counts): Counts {
  return { human, ai, total };
}

function previousFigures(counts: Counts | undefined): object {
  return {
    previous_human: counts?.human ?? null,
    previous_ai: counts?.ai ?? null,
    previous_total: counts?.total ?? null,
  };
}

const emptyPage: Page = { path: '', human: 0, ai: 0, total: 0, previous: undefined };
