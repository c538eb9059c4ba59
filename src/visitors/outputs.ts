import type { ErrorEnd, SkippedResult } from '../common/result.ts';
import type { StateStore } from '../common/state-store.ts';
import type { Counts } from '../platform/visitors.ts';
import type { OutputTable } from '../runner/runner.ts';
import type { Conclusion } from '../runner/step.ts';
import { type JsonList, jsonList } from '../text/output.ts';
import type { Export, Page } from './export.ts';
import type { VisitorsInputs } from './inputs.ts';
import { dateRangeOf } from './period.ts';

/** The file is written. */
export interface Exported {
  readonly result: 'exported';
  readonly inputs: VisitorsInputs;
  readonly done: Export;
  /** Path of the file, relative to the workspace. */
  readonly file: string;
}

/** How the step ended, as the output `result` names it. */
export type Result = Exported | SkippedResult | ErrorEnd;

/** Whether the file has everything that the inputs ask for. */
function isComplete({ end, duplicates, before }: Export): boolean {
  return end.kind === 'whole' && duplicates === 0 && before?.isWhole !== false;
}

/** How a result is reported; `failure` makes the step fail. */
export function levelOf(result: Result): Conclusion['level'] {
  switch (result.result) {
    case 'exported':
      return levelOfExport(result.done);
    case 'skipped':
      return result.isLoud ? 'warning' : 'notice';
    case 'cancelled':
    case 'error':
      return 'failure';
  }
}

/** A list that the API cut short or mixed up is a warning. One that another run can complete is a notice. */
function levelOfExport(done: Export): Conclusion['level'] {
  if (done.end.kind === 'empty-batch' || done.duplicates > 0) {
    return 'warning';
  }
  return isComplete(done) ? 'info' : 'notice';
}

/** What the step knows so far. Reports read it; only a store changes it. */
export interface State {
  readonly inputs?: VisitorsInputs;
  /** Of the whole site; known after the first response. */
  readonly totals?: Counts;
  /** The same for the previous period, in a comparison. */
  readonly previousTotals?: Counts;
  readonly end?: { readonly result: Result; readonly message: string };
}

export type VisitorsState = StateStore<State>;

/** The value of each output in visitors/action.yml, as a function of the state. */
export const outputs = {
  human: ({ totals }) => count(totals?.human),
  ai: ({ totals }) => count(totals?.ai),
  total: ({ totals }) => count(totals?.total),
  'previous-human': ({ previousTotals }) => count(previousTotals?.human),
  'previous-ai': ({ previousTotals }) => count(previousTotals?.ai),
  'previous-total': ({ previousTotals }) => count(previousTotals?.total),
  'page-count': (state) => count(exportOf(state)?.pageCount),
  file: ({ end }) => (end?.result.result === 'exported' ? end.result.file : ''),
  'top-pages'(state) {
    const done = exportOf(state);
    return done && { json: topPagesJson(done.findings.topInDocs).json };
  },
  'date-from': ({ inputs }) => inputs && dateRangeOf(inputs.period).dateFrom,
  'date-to': ({ inputs }) => inputs && dateRangeOf(inputs.period).dateTo,
  complete(state) {
    const done = exportOf(state);
    return done && String(isComplete(done));
  },
  'next-offset'(state) {
    const ending = exportOf(state)?.end;
    return ending?.kind === 'out-of-requests' ? String(ending.nextOffset) : '';
  },
  result: ({ end }) => end?.result.result,
  reason: ({ end }) => (end && 'reason' in end.result ? end.result.reason : ''),
  message: ({ end }) => end?.message,
} as const satisfies OutputTable<State>;

function exportOf({ end }: State): Export | undefined {
  return end?.result.result === 'exported' ? end.result.done : undefined;
}

function count(number: number | undefined): string | undefined {
  return number === undefined ? undefined : String(number);
}

/**
 * The size limit of `top-pages`. As part of the input `variables`, it must fit into one environment
 * variable (128 KiB on Linux) with the rest of that input. All outputs of a job may have 1 MB.
 */
const maxBytes = 48 * 1024;

/** Longer paths are useless to an agent, and one of them must not crowd out the others. */
const maxPathLength = 1000;

/**
 * The output `top-pages`: a compact JSON array of `path`, `human`, `ai` and `total` in ASCII, which is
 * also valid YAML, so that `variables: "pages: ${{ steps.visitors.outputs.top-pages }}"` works with any
 * path.
 */
export function topPagesJson(pages: readonly Page[]): JsonList {
  const useful = pages.filter(({ path }) => path.length <= maxPathLength);
  const list = jsonList(
    useful.map(({ path, human, ai, total }) => ({ path, human, ai, total })),
    maxBytes,
  );
  return { ...list, leftOut: list.leftOut + pages.length - useful.length };
}
