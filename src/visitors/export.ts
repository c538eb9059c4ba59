import type { Counts, VisitorBatch } from '../platform/visitor.ts';
import { type Budget, batchSize, type Visitors } from '../platform/visitors.ts';
import type { OutputFile } from '../runner/output-file.ts';
import { type Before, goneSince, previousOf, readBefore } from './before.ts';
import { type Format, loadFormat } from './formats.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { Page } from './page.ts';
import { createFinder, type Findings } from './report/findings.ts';

/** What was exported. */
export interface Export {
  readonly totals: Counts;
  /** Pages with visitors in the period that are in the file. */
  readonly pageCount: number;
  /** Rows that came a second time, and were not written again. */
  readonly duplicates: number;
  readonly end: End;
  readonly findings: Findings;
  /** The time before, in a comparison. */
  readonly before: Before | undefined;
}

/** How the list of pages came to its end. */
export type End =
  | { readonly kind: 'whole' }
  /** All requests were spent; an export from `nextOffset` on has the rest. */
  | { readonly kind: 'out-of-requests'; readonly nextOffset: number }
  /** The API said that more pages follow, and sent none. */
  | { readonly kind: 'empty-batch' };

/** Is told how the export goes. */
export interface ExportObserver {
  /** The site's totals are known, long before all pages are. */
  totals(totals: Counts, before: Before | undefined): void;
  /** One more batch is in the file. */
  pages(count: number): void;
}

export interface ExportDeps {
  readonly visitors: Visitors;
  readonly file: Pick<OutputFile, 'append'>;
  readonly observer: ExportObserver;
}

export type ExportPlan = Pick<
  VisitorsInputs,
  'period' | 'isCompared' | 'format' | 'maxRequests' | 'offset' | 'top'
>;

/**
 * Exports the visitors of a period to a file, batch by batch. In memory stay the paths seen and,
 * in a comparison, the figures of the time before.
 *
 * @throws PlatformError, FileError, CancelledError; the file is not whole then
 */
export async function exportVisitors(plan: ExportPlan, deps: ExportDeps): Promise<Export> {
  const budget: Budget = { left: plan.maxRequests };
  const span = plan.isCompared ? plan.period.before : undefined;
  const before = span && (await readBefore(deps.visitors, span, budget));
  const finder = createFinder(plan.top);
  const seen = new Set<string>();
  let loaded: Promise<Format> | undefined;
  // At the first batch: until there is something to write, nothing holds the first request up.
  const format = (): Promise<Format> => {
    loaded ??= loadFormat(plan.format, plan.isCompared);
    return loaded;
  };
  const write = async (pages: readonly Page[]): Promise<void> => {
    pages.forEach(finder.take);
    await deps.file.append((await format()).pages(pages));
  };

  let totals: Counts | undefined;
  let end: End = { kind: 'whole' };
  let rowCount = 0;
  let nextOffset = plan.offset;
  for await (const batch of deps.visitors.walk(plan.period.range, plan.offset, budget)) {
    if (totals === undefined) {
      totals = batch.totals;
      deps.observer.totals(totals, before);
      const head = { period: plan.period, totals, before };
      await deps.file.append((await format()).begin(head));
    }
    await write(newPages(batch, seen, before));
    rowCount += batch.rows.length;
    nextOffset += batchSize;
    end = endAfter(batch, nextOffset);
    deps.observer.pages(seen.size);
  }
  if (totals === undefined) {
    throw new Error('The list of visitors ended before it began.');
  }
  if (before !== undefined && end.kind === 'whole') {
    for (const pages of goneSince(before, seen)) {
      await write(pages);
    }
  }
  await deps.file.append((await format()).end());
  const duplicates = rowCount - seen.size;
  return { totals, pageCount: seen.size, duplicates, end, findings: finder.findings(), before };
}

/** The rows that were not seen yet: a page can come twice when the ranking moves meanwhile. */
function newPages(
  { rows }: VisitorBatch,
  seen: Set<string>,
  before: Before | undefined,
): readonly Page[] {
  const pages: Page[] = [];
  for (const row of rows) {
    if (!seen.has(row.path)) {
      seen.add(row.path);
      pages.push({ ...row, previous: previousOf(row.path, before) });
    }
  }
  return pages;
}

/** The end of the list, if this was the last batch of the walk. */
function endAfter({ rows, hasMore }: VisitorBatch, nextOffset: number): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  return rows.length === 0 ? { kind: 'empty-batch' } : { kind: 'out-of-requests', nextOffset };
}
