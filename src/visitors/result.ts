import type { ErrorEnd, SkippedResult } from '../common/result.ts';
import type { Conclusion } from '../runner/step.ts';
import { grouped } from '../text/number.ts';
import { counted, listed, quoted } from '../text/plain.ts';
import type { FoldedPages } from './docs-pages.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { PageList, VisitedPage } from './page-list.ts';
import { daysOf } from './period.ts';

export interface Exported {
  readonly result: 'exported';
  readonly inputs: VisitorsInputs;
  /** Path of the file, relative to the workspace. */
  readonly file: string;
  readonly list: PageList;
  /** The previous period; `undefined` without a comparison. */
  readonly before: PageList | undefined;
  /** The rows of the file, including pages that only had visitors in the previous period. */
  readonly pages: readonly VisitedPage[];
  /** The same rows by page. */
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
      return { level: 'failure', message: result.message };
  }
}

function exportedMessage(result: Exported): string {
  const { period, totals } = result.list;
  const problem = problemOf(result);
  const end =
    problem === undefined
      ? `: ${counted(totals.total, 'visitor')}, ${grouped(totals.human)} human and ${grouped(totals.ai)} AI`
      : `, but ${problem.text}`;
  return `Exported ${counted(result.pages.length, 'row')} to ${quoted(result.file)} (${daysOf(period)})${end}.`;
}

interface Problem {
  readonly level: 'notice' | 'warning';
  readonly text: string;
}

/**
 * Why the file lacks pages that the inputs ask for, as a clause; `undefined` if the file has all of them. It is a
 * warning if the API cut a list short or mixed it up, and a notice if the inputs are the reason.
 */
export function problemOf({ list, before }: Exported): Problem | undefined {
  const lists = before === undefined ? [list] : [list, before];
  const share = before === undefined ? '' : 'half of ';
  const losses = lists.flatMap((each) =>
    reasonsOfLoss(each, share).map((reason) => ({
      pages: each === list ? 'pages' : 'pages of the previous period',
      reason,
    })),
  );
  const parts = [...Map.groupBy(losses, ({ reason }) => reason)].map(
    ([reason, of]) => `${listed(of.map(({ pages }) => pages))} may be missing, because ${reason}`,
  );
  const isWarning = lists.some(({ duplicates, end }) => duplicates > 0 || end === 'empty-batch');
  return parts.length === 0
    ? undefined
    : { level: isWarning ? 'warning' : 'notice', text: parts.join('; ') };
}

/** Why a list may lack rows, as far as the API's responses show it, each as a main clause. */
function reasonsOfLoss({ duplicates, end }: PageList, share: string): readonly string[] {
  return [
    duplicates > 0 &&
      `the ranking changed during the export, and ${counted(duplicates, 'row')} came twice`,
    end === 'empty-batch' && 'the API said that more follow, but sent none',
    end === 'max-requests' &&
      `${share}max-requests is used up: raise max-requests, or choose a shorter period`,
  ].filter((reason) => reason !== false);
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
