import {
  type Counts,
  type PageVisitors,
  type VisitorBatch,
  type VisitorsDeps,
  walkVisitors,
} from '../platform/visitors.ts';
import { dateRangeOf, type Span } from './period.ts';

/** The pages with visitors in a period, as the API ranks them. */
export interface PageList {
  readonly period: Span;
  /** The visitors of the whole site. */
  readonly totals: Counts;
  /** The visitors of each page, by its path. */
  readonly rows: ReadonlyMap<string, Counts>;
  /**
   * How many rows the API sent again. `rows` has each of them only once. The API may have skipped as many other rows,
   * and `rows` lacks those.
   */
  readonly duplicates: number;
  readonly end: End;
}

/**
 * How a list ends: `whole` with its last row, `max-requests` because the requests were used up, or `empty-batch`
 * because the API said that more rows follow, but sent none.
 */
type End = 'whole' | 'max-requests' | 'empty-batch';

/** A row of the export. */
export interface VisitedPage extends PageVisitors {
  /** The figures of the previous period; `undefined` if they are unknown, or without a comparison. */
  readonly previous: Counts | undefined;
}

export const noVisitors: Counts = { human: 0, ai: 0, total: 0 };

/** Whether the list has every page with visitors. */
export function isWhole({ end, duplicates }: PageList): boolean {
  return end === 'whole' && duplicates === 0;
}

/**
 * Reads the list until its end, or until `maxRequests` are used up.
 *
 * @param onTotals called with the site's totals as soon as they are known
 * @throws ActionError, CancelledError
 */
export async function readPageList(
  period: Span,
  maxRequests: number,
  deps: VisitorsDeps,
  onTotals: (totals: Counts) => void,
): Promise<PageList> {
  const rows = new Map<string, Counts>();
  let last: VisitorBatch | undefined;
  let rowCount = 0;
  for await (const batch of walkVisitors(dateRangeOf(period), maxRequests, deps)) {
    onTotals(batch.totals);
    for (const { path, ...counts } of batch.visitors) {
      // A page appears twice if the ranking changes between two requests.
      if (!rows.has(path)) {
        rows.set(path, counts);
      }
    }
    rowCount += batch.visitors.length;
    last = batch;
  }
  if (last === undefined) {
    throw new Error('The list of visitors had no batches.');
  }
  return { period, totals: last.totals, rows, duplicates: rowCount - rows.size, end: endOf(last) };
}

function endOf({ visitors, hasMore }: VisitorBatch): End {
  if (!hasMore) {
    return 'whole';
  }
  return visitors.length === 0 ? 'empty-batch' : 'max-requests';
}

/** The rows of the file: the pages of the list, then the pages that only had visitors in the previous period. */
export function pagesOf(list: PageList, before: PageList | undefined): readonly VisitedPage[] {
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

/**
 * The pages with the highest scores, the highest first; pages with the same score in their order. A page
 * with a score of 0 or less is left out.
 */
export function topPages<P extends VisitedPage>(
  pages: readonly P[],
  size: number,
  scoreOf: (page: P) => number,
): readonly P[] {
  return pages
    .filter((page) => scoreOf(page) > 0)
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, size);
}
