import { type ErrorEnd, errorMessage, type SkippedResult } from '../common/result.ts';
import type { Conclusion } from '../runner/step.ts';
import { grouped } from '../text/number.ts';
import { counted, quoted } from '../text/plain.ts';
import type { FoldedPages } from './docs-pages.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { End, PageList, PreviousList } from './page-list.ts';
import { dateRangeOf, dayRange } from './period.ts';

export interface Exported {
  readonly result: 'exported';
  readonly inputs: VisitorsInputs;
  /** Path of the file, relative to the workspace. */
  readonly file: string;
  readonly list: PageList;
  /** The previous period; `undefined` without a comparison. */
  readonly before: PreviousList | undefined;
  /** The list's rows by page, including pages that only had visitors in the previous period. */
  readonly folded: FoldedPages;
}

/** How the step ended, as the output `result` names it. */
export type Result = Exported | SkippedResult | ErrorEnd;

/**
 * The sentence that the log ends with, and its level; `failure` makes the step fail. The sentence is plain text
 * that still has to be escaped.
 */
export function endingOf(result: Result): Pick<Conclusion, 'level' | 'message'> {
  switch (result.result) {
    case 'exported':
      return { level: problemOf(result)?.level ?? 'info', message: exportedMessage(result) };
    case 'cancelled': {
      const message =
        'The run was cancelled and nothing was exported: a file from an earlier run is unchanged.';
      return { level: 'failure', message };
    }
    case 'skipped':
      return result;
    case 'error':
      return { level: 'failure', message: errorMessage(result) };
  }
}

function exportedMessage(result: Exported): string {
  const { totals, rows } = result.list;
  const problem = problemOf(result);
  const end =
    problem === undefined
      ? `: ${counted(totals.total, 'visitor')}, ${grouped(totals.human)} human and ${grouped(totals.ai)} AI`
      : `, but ${problem.text}`;
  return `Exported ${counted(rows.size, 'row')} to ${quoted(result.file)} (${dayRange(result.inputs.period)})${end}.`;
}

interface Problem {
  readonly level: 'notice' | 'warning';
  readonly text: string;
}

/**
 * Why the file lacks pages that the inputs ask for, and how to continue, as a clause; `undefined` if the file
 * has all of them. If the API cut the list short or mixed it up, it is a warning; if another run can get the
 * rest, it is a notice.
 */
export function problemOf({ inputs, list, before }: Exported): Problem | undefined {
  const { duplicates, end } = list;
  const parts = [
    inputs.offset > 0 &&
      `the list starts at row ${grouped(inputs.offset + 1)}, and pages whose rank changed since the earlier run can be missing from both files, or be in both`,
    ...lossesOf('pages', list),
    end.kind === 'limit' && howToGoOn(inputs, end),
    ...(before === undefined ? [] : lossesOf('pages of the previous period', before)),
    before?.end.kind === 'limit' &&
      `only ${counted(before.rows.size, 'page')} of the previous period could be compared, because ${before.end.limit === 'memory' ? tooLong : 'half of max-requests is used up'}`,
  ].filter(Boolean);
  const level = duplicates > 0 || end.kind === 'empty-batch' ? 'warning' : 'notice';
  return parts.length === 0 ? undefined : { level, text: parts.join('; ') };
}

/** Why a list may lack rows, as far as the API's responses show it, each as a main clause. */
function lossesOf(pages: string, { duplicates, end }: PageList): readonly (string | false)[] {
  const missing = `${pages} may be missing, because`;
  return [
    duplicates > 0 &&
      `${missing} the ranking changed during the export, and ${counted(duplicates, 'row')} came twice`,
    end.kind === 'empty-batch' && `${missing} the API said that more follow, but sent none`,
  ];
}

const tooLong = 'the list is as long as one run can hold';

function howToGoOn(
  { period, previousPeriod }: VisitorsInputs,
  { limit, nextOffset }: End & { readonly kind: 'limit' },
): string {
  const { dateFrom, dateTo } = dateRangeOf(period);
  const dates = [dateFrom && `date-from ${dateFrom}`, dateTo && `date-to ${dateTo}`];
  const sameDates = dates.filter(Boolean).join(', ') || 'period all';
  const [used, withoutCompare] = previousPeriod
    ? ['half of max-requests', ', without compare']
    : ['max-requests', ''];
  const why = limit === 'memory' ? tooLong : `${used} is used up`;
  return `there are more, and ${why}: to export the rest, run this action again with ${sameDates}, offset ${nextOffset}${withoutCompare}`;
}

/** Warnings about an export, whether or not it is complete. They have no untrusted text. */
export function warningsOf({ list, folded }: Exported): readonly string[] {
  return [
    list.totals.total === 0 &&
      'The API counted no visitors at all: check the dates and project-id, and that analytics are on in the dashboard.',
    folded.others.length > 0 &&
      folded.pages.length === 0 &&
      'The output top-pages is empty, because none of the visited paths is a page below docs-root: give the folder whose pages have the paths that visitors see.',
  ].filter((warning) => warning !== false);
}
