import type { Options } from 'csv-stringify/sync';
import type { Counts } from '../platform/visitor.ts';
import type { FormatName } from './inputs.ts';
import type { Page } from './page.ts';
import type { Span } from './period.ts';

/** What stands at the head of a file. */
export interface Head {
  readonly period: Span;
  readonly totals: Counts;
  /** The time before, in a comparison. */
  readonly before: { readonly span: Span; readonly totals: Counts } | undefined;
}

/** Turns an export into text, piece by piece in the order of the file. */
export interface Format {
  begin(head: Head): string;
  pages(pages: readonly Page[]): string;
  end(): string;
}

/**
 * The format of that name; what it takes to write it is loaded now.
 * @param isCompared whether pages have the figures of the time before
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
 * RFC 4180, with what it leaves open decided so: UTF-8 without a byte order mark, an empty cell
 * for a figure that is not known.
 */
function csv(stringify: (rows: object[], options: Options) => string, isCompared: boolean): Format {
  const columns = Object.keys(row(emptyPage, isCompared));
  const options: Options = {
    columns,
    record_delimiter: 'windows',
    // Spreadsheets of many countries take a semicolon for the end of a cell, unless it is quoted.
    quoted_string: true,
    // Without this, a lone line feed in a path would end the record for most readers.
    quote_record_delimiter: true,
    // A path that begins with "=" or the like would be run by a spreadsheet.
    escape_formulas: true,
    // The library leaves out the line feed, which some spreadsheets skip.
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

/** One object; a row stands on each line, so that a difference of two files can be read. */
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

/** A row with its fields in the order of the columns. */
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
