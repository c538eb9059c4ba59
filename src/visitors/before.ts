import type { Counts } from '../platform/visitor.ts';
import { type Budget, batchSize, type Visitors } from '../platform/visitors.ts';
import { noVisitors, type Page } from './page.ts';
import type { Span } from './period.ts';

/** The figures of the previous period. */
export interface Before {
  readonly span: Span;
  readonly totals: Counts;
  readonly pages: ReadonlyMap<string, Counts>;
  /** Whether `pages` has every page with visitors. */
  readonly isWhole: boolean;
}

/**
 * Reads the previous period into memory. It uses at most half of the requests, so that enough are left
 * for the period itself.
 *
 * @param budget is reduced by the requests that were sent
 * @throws the same errors as `Visitors.walk`
 */
export async function readBefore(visitors: Visitors, span: Span, budget: Budget): Promise<Before> {
  const half = Math.floor(budget.left / 2);
  const own: Budget = { left: half };
  const pages = new Map<string, Counts>();
  let totals = noVisitors;
  let isWhole = false;
  for await (const batch of visitors.walk(span.range, 0, own)) {
    for (const { path, human, ai, total } of batch.rows) {
      pages.set(path, { human, ai, total });
    }
    totals = batch.totals;
    isWhole = !batch.hasMore;
  }
  budget.left -= half - own.left;
  return { span, totals, pages, isWhole };
}

/** A page's previous figures. If the list is complete, a page that is not in it had no visitors. */
export function previousOf(path: string, before: Before | undefined): Counts | undefined {
  return before?.pages.get(path) ?? (before?.isWhole ? noVisitors : undefined);
}

/** The pages that have no visitors any more, in batches. */
export function* goneSince(
  { pages }: Before,
  seen: ReadonlySet<string>,
): Generator<readonly Page[]> {
  let batch: Page[] = [];
  for (const [path, previous] of pages) {
    if (seen.has(path)) {
      continue;
    }
    batch.push({ path, ...noVisitors, previous });
    if (batch.length === batchSize) {
      yield batch;
      batch = [];
    }
  }
  yield batch;
}
