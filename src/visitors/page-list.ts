import {
  type Budget,
  type Counts,
  type PageVisitors,
  type VisitorsDeps,
  type WalkedBatch,
  walkVisitors,
} from '../platform/visitors.ts';
import { dateRangeOf, type Span } from './period.ts';

/** The pages with visitors in a span, as the API ranks them. */
export interface PageList {
  /** The visitors of the whole site. */
  readonly totals: Counts;
  /** The visitors of each page, by its path. */
  readonly rows: ReadonlyMap<string, Counts>;
  /** How many rows the API sent twice. The list has each of them once, and may lack as many others. */
  readonly duplicates: number;
  readonly end: End;
}

export type End =
  | { readonly kind: 'whole' }
  /** A limit of this action was reached; an export from `nextOffset` gets the rest. */
  | { readonly kind: 'limit'; readonly limit: Limit; readonly nextOffset: number }
  /** The API said that more pages follow, but sent none. */
  | { readonly kind: 'empty-batch' };

export type Limit = 'max-requests' | 'memory';

/** The list of the previous period, in a comparison. */
export interface PreviousList extends PageList {
  readonly span: Span;
}

/** A row of the export. */
export interface Page extends PageVisitors {
  /** The figures of the previous period; `undefined` if they are not known or not compared. */
  readonly previous: Counts | undefined;
}

export const noVisitors: Counts = { human: 0, ai: 0, total: 0 };

/** Whether the list has every page with visitors. */
export function isWhole({ end, duplicates }: PageList): boolean {
  return end.kind === 'whole' && duplicates === 0;
}

/**
 * How many characters the paths of a list may have, with `rowLength` more for the rest of a row: enough for
 * 250,000 rows of a usual site. The step takes about five times as many bytes.
 */
const maxListLength = 40_000_000;

const rowLength = 100;

/**
 * Reads the batches until the last one, or until the list is as long as the memory allows.
 *
 * @param onTotals called with the site's totals after the first batch
 * @throws ActionError, CancelledError
 */
export async function readPageList(
  batches: AsyncIterable<WalkedBatch>,
  onTotals?: (totals: Counts) => void,
): Promise<PageList> {
  const rows = new Map<string, Counts>();
  let totals: Counts | undefined;
  let end: End = { kind: 'whole' };
  let rowCount = 0;
  let length = 0;
  for await (const batch of batches) {
    if (totals === undefined) {
      totals = batch.totals;
      onTotals?.(totals);
    }
    for (const { path, ...counts } of batch.rows) {
      // A page appears twice if the ranking changes between two requests.
      if (!rows.has(path)) {
        rows.set(path, counts);
        length += path.length + rowLength;
      }
    }
    rowCount += batch.rows.length;
    end = endAfter(batch, length);
    if (length > maxListLength) {
      break;
    }
  }
  if (totals === undefined) {
    throw new Error('The list of visitors had no batches.');
  }
  return { totals, rows, duplicates: rowCount - rows.size, end };
}

/** How the list ends if `batch` is its last one. `length` is the list's length as `maxListLength` counts it. */
function endAfter({ rows, hasMore, nextOffset }: WalkedBatch, length: number): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  const limit = length > maxListLength ? 'memory' : 'max-requests';
  return rows.length === 0 ? { kind: 'empty-batch' } : { kind: 'limit', limit, nextOffset };
}

/**
 * Reads the previous period with at most half of the requests, so that enough are left for the period
 * itself.
 *
 * @param budget is reduced by the requests that were sent
 * @throws ActionError, CancelledError
 */
export async function readPreviousList(
  span: Span,
  budget: Budget,
  deps: VisitorsDeps,
): Promise<PreviousList> {
  const half: Budget = { left: Math.floor(budget.left / 2) };
  budget.left -= half.left;
  const list = await readPageList(walkVisitors(dateRangeOf(span), 0, half, deps));
  budget.left += half.left;
  return { span, ...list };
}

/** The rows of the file: the pages of the list, then those that have no visitors any more. */
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
