import type {
  Budget,
  Counts,
  PageVisitors,
  VisitorBatch,
  Visitors,
  WalkedBatch,
} from '../platform/visitors.ts';
import { type Findings, findingsOf } from './findings.ts';
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
  /** The rows of the file, as the API ranks them; in a comparison, those without visitors come last. */
  readonly pages: readonly Page[];
  /** How many of them have visitors in the period. */
  readonly pageCount: number;
  /** How many rows the API sent twice. The file has each of them once, and may lack as many others. */
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
interface Before {
  readonly span: Span;
  readonly totals: Counts;
  readonly pages: ReadonlyMap<string, Counts>;
  /** How many rows the API sent twice. */
  readonly duplicates: number;
  /** Whether `pages` has every page with visitors. */
  readonly isWhole: boolean;
}

interface ExportDeps {
  readonly visitors: Visitors;
  /** The pages of the docs, as visitors see their paths; `undefined` if every path counts as one. */
  readonly docsPages: ReadonlySet<string> | undefined;
  /** Called once the site's totals are known, after the first batch. */
  readonly onTotals: (totals: Counts, before: Before | undefined) => void;
}

type ExportPlan = Pick<VisitorsInputs, 'period' | 'isCompared' | 'maxRequests' | 'offset' | 'top'>;

/**
 * Reads the visitors of a period, and of the previous one in a comparison.
 * @throws ActionError, CancelledError
 */
export async function exportVisitors(plan: ExportPlan, deps: ExportDeps): Promise<Export> {
  const budget: Budget = { left: plan.maxRequests };
  const span = plan.isCompared ? plan.period.before : undefined;
  const before = span && (await readBefore(deps.visitors, span, budget));
  const known = new Map<string, Page>();
  let totals: Counts | undefined;
  let end: End = { kind: 'whole' };
  let rowCount = 0;
  for await (const batch of deps.visitors.walk(dateRangeOf(plan.period), plan.offset, budget)) {
    if (totals === undefined) {
      totals = batch.totals;
      deps.onTotals(totals, before);
    }
    addPages(batch, known, before);
    rowCount += batch.rows.length;
    end = endAfter(batch);
  }
  if (totals === undefined) {
    throw new Error('The list of visitors had no batches.');
  }
  const duplicates = rowCount - known.size;
  const isWhole = end.kind === 'whole' && duplicates === 0;
  const gone = isWhole ? pagesWithoutVisitors(before, known) : [];
  const pages = [...known.values(), ...gone];
  return {
    totals,
    pages,
    pageCount: known.size,
    duplicates,
    end,
    findings: findingsOf(pages, {
      size: plan.top,
      ratio: span === undefined ? 1 : lengthRatio(plan.period, span),
      docsPages: deps.docsPages,
    }),
    before,
  };
}

/**
 * Reads the previous period. It uses at most half of the requests, so that enough are left
 * for the period itself.
 *
 * @param budget is reduced by the requests that were sent
 */
async function readBefore(visitors: Visitors, span: Span, budget: Budget): Promise<Before> {
  const half = Math.floor(budget.left / 2);
  const own: Budget = { left: half };
  const pages = new Map<string, Counts>();
  let totals = noVisitors;
  let hasMore = true;
  let rowCount = 0;
  for await (const batch of visitors.walk(dateRangeOf(span), 0, own)) {
    for (const { path, human, ai, total } of batch.rows) {
      pages.set(path, { human, ai, total });
    }
    totals = batch.totals;
    hasMore = batch.hasMore;
    rowCount += batch.rows.length;
  }
  budget.left -= half - own.left;
  const duplicates = rowCount - pages.size;
  return { span, totals, pages, duplicates, isWhole: !hasMore && duplicates === 0 };
}

/** Adds the rows that are new. A page can appear twice if the ranking changes during the export. */
function addPages(
  { rows }: VisitorBatch,
  known: Map<string, Page>,
  before: Before | undefined,
): void {
  for (const row of rows) {
    if (!known.has(row.path)) {
      // If the previous list is complete, a page that is not in it had no visitors.
      const previous = before?.pages.get(row.path) ?? (before?.isWhole ? noVisitors : undefined);
      known.set(row.path, { ...row, previous });
    }
  }
}

/** The pages of the previous period that have no visitors any more. */
function pagesWithoutVisitors(
  before: Before | undefined,
  known: ReadonlyMap<string, Page>,
): readonly Page[] {
  return [...(before?.pages ?? [])]
    .filter(([path]) => !known.has(path))
    .map(([path, previous]) => ({ path, ...noVisitors, previous }));
}

/** How the list ended, if this was the last batch. */
function endAfter({ rows, hasMore, nextOffset }: WalkedBatch): End {
  if (!hasMore) {
    return { kind: 'whole' };
  }
  return rows.length === 0 ? { kind: 'empty-batch' } : { kind: 'out-of-requests', nextOffset };
}
