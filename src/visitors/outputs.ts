import type { Counts } from '../platform/visitor.ts';
import type { OutputValue } from '../runner/outputs.ts';
import type { Period } from './period.ts';
import { isComplete, type Result } from './result.ts';
import { topPagesJson } from './top-pages.ts';

/** Outputs by their names in action.yml. */
export type Outputs = Readonly<Record<string, OutputValue>>;

/** Known before the first request. */
export function outputsOfPeriod({ range }: Period): Outputs {
  return { 'date-from': range.dateFrom ?? '', 'date-to': range.dateTo ?? '' };
}

/** Known after the first answer. */
export function outputsOfTotals(totals: Counts, previous: Counts | undefined): Outputs {
  const { human, ai, total } = totals;
  return {
    human: String(human),
    ai: String(ai),
    total: String(total),
    ...(previous && {
      'previous-human': String(previous.human),
      'previous-ai': String(previous.ai),
      'previous-total': String(previous.total),
    }),
  };
}

/** Known at the end. */
export function outputsOf(result: Result): Outputs {
  switch (result.result) {
    case 'exported': {
      const { done, file } = result;
      const { end, pageCount, findings } = done;
      return {
        result: result.result,
        reason: '',
        file,
        'page-count': String(pageCount),
        'top-pages': { json: topPagesJson(findings.top).json },
        complete: String(isComplete(done)),
        'next-offset': end.kind === 'out-of-requests' ? String(end.nextOffset) : '',
      };
    }
    case 'cancelled':
      return { result: result.result, reason: '' };
    case 'skipped':
    case 'error':
      return { result: result.result, reason: result.reason };
  }
}
