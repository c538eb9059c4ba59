import type { Counts } from '../platform/visitors.ts';
import type { OutputTable } from '../runner/runner.ts';
import { type JsonList, jsonList } from '../text/output.ts';
import type { FoldedPage } from './docs-pages.ts';
import { topPages } from './page-list.ts';
import { dateRangeOf, type Span } from './period.ts';
import { type Exported, problemOf, type Result } from './result.ts';

/** What a run has found out. Each field becomes known at another moment of the run. */
interface News {
  readonly period?: Span;
  /** The visitors of the whole site. */
  readonly totals?: Counts;
  /** The visitors of the whole site in the previous period, in a comparison. */
  readonly previousTotals?: Counts | undefined;
  readonly end?: { readonly result: Result; readonly message: string };
}

/** The value of an output that only an export has. */
function exported<Value>(read: (exported: Exported) => Value): (news: News) => Value | undefined {
  return ({ end }) => (end?.result.result === 'exported' ? read(end.result) : undefined);
}

/** The value of each output in visitors/action.yml, as a function of the news. */
export const outputs = {
  human: ({ totals }) => totals?.human.toString(),
  ai: ({ totals }) => totals?.ai.toString(),
  total: ({ totals }) => totals?.total.toString(),
  'previous-human': ({ previousTotals }) => previousTotals?.human.toString(),
  'previous-ai': ({ previousTotals }) => previousTotals?.ai.toString(),
  'previous-total': ({ previousTotals }) => previousTotals?.total.toString(),
  'page-count': exported(({ list }) => list.rows.size.toString()),
  file: exported(({ file }) => file),
  'top-pages': exported(({ folded, inputs }) =>
    topPagesJson(topPages(folded.pages, inputs.top, ({ total }) => total)),
  ),
  'date-from': ({ period }) => period && dateRangeOf(period).dateFrom,
  'date-to': ({ period }) => period && dateRangeOf(period).dateTo,
  complete: exported((result) => String(problemOf(result) === undefined)),
  result: ({ end }) => end?.result.result,
  reason: ({ end }) => (end && 'reason' in end.result ? end.result.reason : undefined),
  message: ({ end }) => end?.message,
} as const satisfies OutputTable<News>;

export type WriteOutputs = (news: News) => void;

/**
 * The size limit of `top-pages`. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/**
 * The output `top-pages`: a compact JSON array of `path`, `file`, `human`, `ai` and `total` in ASCII, which
 * is also valid YAML, so that `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any
 * path. Without docs-root, the entries have no `file`.
 */
export function topPagesJson(pages: readonly FoldedPage[]): JsonList {
  return jsonList(
    pages.map(({ path, file, human, ai, total }) => ({ path, file, human, ai, total })),
    maxBytes,
  );
}
