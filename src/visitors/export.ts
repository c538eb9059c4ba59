import type { Counts, VisitorBatch } from '../platform/visitor.ts';
import { type Budget, batchSize, type Visitors } from '../platform/visitors.ts';
import type { OutputFile } from '../runner/output-file.ts';
import { type Before, goneSince, previousOf, readBefore } from './before.ts';
import { type Format, loadFormat } from './formats.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { Page } from './page.ts';
import { createFinder, type Findings } from './report/findings.ts';

/** The outcome of an export. */
export interface Export {
  readonly totals: Counts;
  /** How many pages in the file have visitors in the period. */
  readonly pageCount: number;
  /** How many rows the API sent twice. The file has each of them once. */
  readonly duplicates: number;
  readonly end: End;
  readonly findings: Findings;
  /** The previous period, in a comparison. */
  readonly before: Before | undefined;
}

/** How the list of pages ended. */
export type End =
  | { readonly kind: 'whole' }
  /** The requests were used up; an export from `nextOffset` gets the rest. */
  | { readonly kind: 'out-of-requests'; readonly nextOffset: number }
  /** The API said that more pages follow, but sent none. */
  | { readonly kind: 'empty-batch' };

/** Receives the progress of the export. */
export interface ExportObserver {
  /** The site's totals are known, after the first batch. */
  totals(totals: Counts, before: Before | undefined): void;
  /** Another batch is in the file. */
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
 * Exports the visitors of a period to a file, batch by batch. Only the paths and, in a comparison, the
 * figures of the previous period are kept in memory.
 *
 * @throws PlatformError, FileError, CancelledError; the file is then incomplete
 */
export async function exportVisitors(plan: ExportPlan, deps: ExportDeps): Promise<Export> {
  const budget: Budget = { left: plan.maxRequests };
  const span = plan.isCompared ? plan.period.before : undefined;
  const before = span && (await readBefore(deps.visitors, span, budget));
  const finder = createFinder(plan.top);
  const seen = new Set<string>();
  let loaded: Promise<Format> | undefined;
  // Loaded with the first batch, so that it does not delay the first request.
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
    throw new Error('The list of visitors had no batches.');
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

/** The rows that are new. A page can appear twice if the ranking changes during the export. */
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

/** How the list ended, if this was the last batch. */
function endAfter({ rows, hasMore }: VisitorBatch, nextOffset: number): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  return rows.length === 0 ? { kind: 'empty-batch' } : { kind: 'out-of-requests', nextOffset };
}
