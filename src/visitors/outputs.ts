import type { OutputTable } from '../runner/outputs.ts';
import type { Export } from './export.ts';
import { topPagesJson } from './report/top-pages.ts';
import { isComplete } from './result.ts';
import type { State } from './state.ts';

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
    return done && { json: topPagesJson(done.findings.top).json };
  },
  'date-from': ({ inputs }) => inputs?.period.range.dateFrom,
  'date-to': ({ inputs }) => inputs?.period.range.dateTo,
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
