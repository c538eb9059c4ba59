import type { Counts } from '../platform/visitors.ts';
import type { OutputValue } from '../runner/runner.ts';
import { dateRangeOf, type Span } from './period.ts';
import { problemOf, type Result } from './result.ts';
import { topPagesJson } from './top-pages.ts';

/** What outputs are made of. Each is known at another moment of the run. */
interface OutputSource {
  readonly period?: Span;
  /** Of the whole site. */
  readonly totals?: Counts;
  /** The same for the previous period, in a comparison. */
  readonly previousTotals?: Counts | undefined;
  readonly end?: { readonly result: Result; readonly message: string };
}

/** The outputs in visitors/action.yml; `undefined` for those that the source says nothing of. */
export function outputsOf({ period, totals, previousTotals, end }: OutputSource) {
  const dates = period && dateRangeOf(period);
  const exported = end?.result.result === 'exported' ? end.result : undefined;
  const listEnd = exported?.list.end;
  return {
    human: totals?.human.toString(),
    ai: totals?.ai.toString(),
    total: totals?.total.toString(),
    'previous-human': previousTotals?.human.toString(),
    'previous-ai': previousTotals?.ai.toString(),
    'previous-total': previousTotals?.total.toString(),
    'page-count': exported?.list.rows.size.toString(),
    file: exported?.file,
    'top-pages': exported && { json: topPagesJson(exported.topPages.pages).json },
    'date-from': dates?.dateFrom,
    'date-to': dates?.dateTo,
    complete: exported && String(problemOf(exported) === undefined),
    'next-offset': listEnd?.kind === 'out-of-requests' ? listEnd.nextOffset.toString() : undefined,
    result: end?.result.result,
    reason: end && 'reason' in end.result ? end.result.reason : undefined,
    message: end?.message,
  } as const satisfies Readonly<Record<string, OutputValue | undefined>>;
}
