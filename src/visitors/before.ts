import type { Counts } from '../platform/visitor.ts';
import { type Budget, batchSize, type Visitors } from '../platform/visitors.ts';
import { nobody, type Page } from './page.ts';
import type { Span } from './period.ts';

/** The figures of the time before the period. */
export interface Before {
  readonly span: Span;
  readonly totals: Counts;
  readonly pages: ReadonlyMap<string, Counts>;
  /** Whether `pages` has every page that had visitors. */
  readonly isWhole: boolean;
}

/**
 * Reads the time before into memory. At most half of the requests go into it, so that enough are
 * left for the period itself.
 *
 * @param budget loses the requests that were sent
 * @throws as `Visitors.walk` does
 */
export async function readBefore(visitors: Visitors, span: Span, budget: Budget): Promise<Before> {
  const half = Math.floor(budget.left / 2);
  const own: Budget = { left: half };
  const pages = new Map<string, Counts>();
  let totals = nobody;
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

/** A page's figures before: nobody came where the list is whole and does not have it. */
export function previousOf(path: string, before: Before | undefined): Counts | undefined {
  return before?.pages.get(path) ?? (before?.isWhole ? nobody : undefined);
}

/** The pages that nobody reads any more, in pieces of a batch's size. */
export function* goneSince(
  { pages }: Before,
  seen: ReadonlySet<string>,
): Generator<readonly Page[]> {
  let piece: Page[] = [];
  for (const [path, previous] of pages) {
    if (seen.has(path)) {
      continue;
    }
    piece.push({ path, ...nobody, previous });
    if (piece.length === batchSize) {
      yield piece;
      piece = [];
    }
  }
  yield piece;
}
