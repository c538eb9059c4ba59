import {
  type Counts,
  type PageVisitors,
  type VisitorBatch,
  type VisitorsDeps,
  walkVisitors,
} from '../platform/visitors.ts';
import { dateRangeOf, type PreviousPeriod, type Span } from './period.ts';

/** The pages with visitors in a period, as the API ranks them. */
export interface PageList {
  /** The visitors of the whole site. */
  readonly totals: Counts;
  /** The visitors of each page, by its path. */
  readonly rows: ReadonlyMap<string, Counts>;
  /** How many rows the API sent twice. `rows` has each of them once, and may lack as many others. */
  readonly duplicates: number;
  readonly end: End;
}

export type End =
  | { readonly kind: 'whole' }
  /** A limit of this action was reached; an export from `nextOffset` gets the rest. */
  | {
      readonly kind: 'limit';
      readonly limit: 'max-requests' | 'memory';
      readonly nextOffset: number;
    }
  /** The API said that more pages follow, but sent none. */
  | { readonly kind: 'empty-batch' };

/** The list of the previous period, in a comparison. */
export interface PreviousList extends PageList {
  readonly period: PreviousPeriod;
}

/** A row of the export. */
export interface Page extends PageVisitors {
  /** The figures of the previous period; `undefined` if they are unknown, or without a comparison. */
  readonly previous: Counts | undefined;
}

export const noVisitors: Counts = { human: 0, ai: 0, total: 0 };

/** Whether the list has every page with visitors. */
export function isWhole({ end, duplicates }: PageList): boolean {
  return end.kind === 'whole' && duplicates === 0;
}

/**
 * The limit of a list's length, in characters of its paths, with `rowLength` more for the rest of each row:
 * enough for 250,000 rows of a usual site. The step needs about five times as many bytes of memory.
 */
const maxListLength = 40_000_000;

const rowLength = 100;

/**
 * Reads the list from row `offset` until its end, until `maxRequests` are used up, or until the list is as long as
 * the memory allows.
 *
 * @param onTotals called with the site's totals as soon as they are known
 * @throws ActionError, CancelledError
 */
export async function readPageList(
  period: Span,
  { offset, maxRequests }: { readonly offset: number; readonly maxRequests: number },
  deps: VisitorsDeps,
  onTotals: (totals: Counts) => void,
): Promise<PageList> {
  const rows = new Map<string, Counts>();
  let totals: Counts | undefined;
  let end: End = { kind: 'whole' };
  let rowCount = 0;
  let length = 0;
  for await (const batch of walkVisitors(dateRangeOf(period), offset, maxRequests, deps)) {
    totals = batch.totals;
    onTotals(totals);
    for (const { path, ...counts } of batch.visitors) {
      // A page appears twice if the ranking changes between two requests.
      if (!rows.has(path)) {
        rows.set(path, counts);
        length += path.length + rowLength;
      }
    }
    rowCount += batch.visitors.length;
    const isFull = length > maxListLength;
    end = endAfter(batch, isFull ? 'memory' : 'max-requests', offset + rowCount);
    if (isFull) {
      break;
    }
  }
  if (totals === undefined) {
    throw new Error('The list of visitors had no batches.');
  }
  return { totals, rows, duplicates: rowCount - rows.size, end };
}

/** How the list ends if `batch` is its last one. */
function endAfter(
  { visitors, hasMore }: VisitorBatch,
  limit: 'max-requests' | 'memory',
  nextOffset: number,
): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  return visitors.length === 0 ? { kind: 'empty-batch' } : { kind: 'limit', limit, nextOffset };
}

/** The rows of the file: the pages of the list, then the pages that only had visitors in the previous period. */
export function pagesOf(list: PageList, before: PageList | undefined): readonly Page[] {
  // If the previous list is complete, a page that is not in it had no visitors.
  const unlisted = before !== undefined && isWhole(before) ? noVisitors : undefined;
  const pages = [...list.rows].map(([path, counts]) => ({
    path,
    ...counts,
    previous: before?.rows.get(path) ?? unlisted,
  }));
  if (before === undefined || !isWhole(list)) {
    return pages;
  }
  const gone = [...before.rows].filter(([path]) => !list.rows.has(path));
  return [...pages, ...gone.map(([path, previous]) => ({ path, ...noVisitors, previous }))];
}
