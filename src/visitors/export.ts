import type { Counts, PageVisitors, VisitorBatch } from '../platform/visitors.ts';
import { type Budget, batchSize, type Visitors } from '../platform/visitors.ts';
import type { OutputFile } from '../runner/output-file.ts';
import { createFinder, type Findings } from './findings.ts';
import { createFormat } from './formats.ts';
import type { VisitorsInputs } from './inputs.ts';
import { dateRangeOf, lengthRatio, type Span } from './period.ts';

/** A row of the export. */
export interface Page extends PageVisitors {
  /** The figures of the previous period; `undefined` if they are not known or not compared. */
  readonly previous: Counts | undefined;
}

export const noVisitors: Counts = { human: 0, ai: 0, total: 0 };

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

/** The figures of the previous period. */
export interface Before {
  readonly span: Span;
  readonly totals: Counts;
  readonly pages: ReadonlyMap<string, Counts>;
  /** Whether `pages` has every page with visitors. */
  readonly isWhole: boolean;
}

interface ExportDeps {
  readonly visitors: Visitors;
  readonly file: Pick<OutputFile, 'append'>;
  /** The pages of the docs, as visitors see their paths; `undefined` if every path counts as one. */
  readonly docsPages: ReadonlySet<string> | undefined;
  /** Called once the site's totals are known, after the first batch. */
  readonly onTotals: (totals: Counts, before: Before | undefined) => void;
}

type ExportPlan = Pick<
  VisitorsInputs,
  'period' | 'isCompared' | 'format' | 'maxRequests' | 'offset' | 'top'
>;

/**
 * Exports the visitors of a period to a file, batch by batch. Only the paths and, in a comparison, the
 * figures of the previous period are kept in memory.
 *
 * @throws ActionError, fileError, CancelledError; the file is then incomplete
 */
export async function exportVisitors(plan: ExportPlan, deps: ExportDeps): Promise<Export> {
  const budget: Budget = { left: plan.maxRequests };
  const span = plan.isCompared ? plan.period.before : undefined;
  const before = span && (await readBefore(deps.visitors, span, budget));
  const finder = createFinder({
    size: plan.top,
    ratio: span === undefined ? 1 : lengthRatio(plan.period, span),
    docsPages: deps.docsPages,
  });
  const seen = new Set<string>();
  const format = createFormat(plan.format, plan.period, span);
  const write = async (pages: readonly Page[]): Promise<void> => {
    pages.forEach(finder.take);
    await deps.file.append(format.pages(pages));
  };

  let totals: Counts | undefined;
  let end: End = { kind: 'whole' };
  let rowCount = 0;
  let nextOffset = plan.offset;
  for await (const batch of deps.visitors.walk(dateRangeOf(plan.period), plan.offset, budget)) {
    if (totals === undefined) {
      totals = batch.totals;
      deps.onTotals(totals, before);
      await deps.file.append(format.begin(totals, before?.totals));
    }
    await write(newPages(batch, seen, before));
    rowCount += batch.rows.length;
    nextOffset += batchSize;
    end = endAfter(batch, nextOffset);
  }
  if (totals === undefined) {
    throw new Error('The list of visitors had no batches.');
  }
  if (before !== undefined && end.kind === 'whole') {
    await write(pagesWithoutVisitors(before, seen));
  }
  await deps.file.append(format.end());
  const duplicates = rowCount - seen.size;
  return { totals, pageCount: seen.size, duplicates, end, findings: finder.findings(), before };
}

/**
 * Reads the previous period into memory. It uses at most half of the requests, so that enough are left
 * for the period itself.
 *
 * @param budget is reduced by the requests that were sent
 */
async function readBefore(visitors: Visitors, span: Span, budget: Budget): Promise<Before> {
  const half = Math.floor(budget.left / 2);
  const own: Budget = { left: half };
  const pages = new Map<string, Counts>();
  let totals = noVisitors;
  let isWhole = false;
  for await (const batch of visitors.walk(dateRangeOf(span), 0, own)) {
    for (const { path, human, ai, total } of batch.rows) {
      pages.set(path, { human, ai, total });
    }
    totals = batch.totals;
    isWhole = !batch.hasMore;
  }
  budget.left -= half - own.left;
  return { span, totals, pages, isWhole };
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
      // If the previous list is complete, a page that is not in it had no visitors.
      const previous = before?.pages.get(row.path) ?? (before?.isWhole ? noVisitors : undefined);
      pages.push({ ...row, previous });
    }
  }
  return pages;
}

/** The pages of the previous period that have no visitors any more. */
function pagesWithoutVisitors({ pages }: Before, seen: ReadonlySet<string>): readonly Page[] {
  return [...pages]
    .filter(([path]) => !seen.has(path))
    .map(([path, previous]) => ({ path, ...noVisitors, previous }));
}

/** How the list ended, if this was the last batch. */
function endAfter({ rows, hasMore }: VisitorBatch, nextOffset: number): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  return rows.length === 0 ? { kind: 'empty-batch' } : { kind: 'out-of-requests', nextOffset };
}
