import { type ErrorEnd, errorMessage, type SkippedResult } from '../common/result.ts';
import type { Conclusion } from '../runner/step.ts';
import { grouped } from '../text/number.ts';
import { counted, quoted } from '../text/plain.ts';
import type { Findings } from './findings.ts';
import type { FoldedPage, FoldedPages } from './folded-pages.ts';
import type { VisitorsInputs } from './inputs.ts';
import type { End, PageList, PreviousList } from './page-list.ts';
import { dateRangeOf, dayRange, type Period } from './period.ts';

export interface Exported {
  readonly result: 'exported';
  readonly inputs: VisitorsInputs;
  /** Path of the file, relative to the workspace. */
  readonly file: string;
  readonly list: PageList;
  /** The previous period; `undefined` without a comparison. */
  readonly before: PreviousList | undefined;
  /** The list's rows by page, those without visitors in the period included. */
  readonly folded: FoldedPages;
  readonly findings: Findings;
  /** The most visited pages for the output `top-pages`. */
  readonly topPages: readonly FoldedPage[];
}

/** How the step ended, as the output `result` names it. */
export type Result = Exported | SkippedResult | ErrorEnd;

/** A note about an export in the log and the summary, without untrusted text. */
interface Note {
  readonly level: 'notice' | 'warning';
  readonly text: string;
}

/** How a result is reported; `failure` makes the step fail. */
export function levelOf(result: Result): Conclusion['level'] {
  switch (result.result) {
    case 'exported':
      return problemOf(result)?.level ?? 'info';
    case 'skipped':
      return result.level;
    case 'cancelled':
    case 'error':
      return 'failure';
  }
}

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result): string {
  switch (result.result) {
    case 'exported':
      return exportedMessage(result);
    case 'cancelled':
      return 'The run was cancelled and nothing was exported: a file from an earlier run is unchanged.';
    case 'skipped':
      return result.message;
    case 'error':
      return errorMessage(result);
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

/**
 * Why the file lacks pages that the inputs ask for, and how to continue, as a clause; `undefined` if it has
 * them all. A list that the API cut short or mixed up is a warning, one that another run can complete a
 * notice.
 */
export function problemOf({ inputs, list, before }: Exported): Note | undefined {
  const { duplicates, end } = list;
  const parts = [
    inputs.offset > 0 &&
      `the list starts at row ${grouped(inputs.offset + 1)}, and pages whose rank changed since the earlier run can be missing from both files, or be in both`,
    duplicates > 0 &&
      `pages may be missing, because the ranking changed during the export, and ${counted(duplicates, 'row')} came twice`,
    endProblem(inputs, end) ?? (before && previousProblem(before)),
  ].filter(Boolean);
  const level = duplicates > 0 || end.kind === 'empty-batch' ? 'warning' : 'notice';
  return parts.length === 0 ? undefined : { level, text: parts.join('; ') };
}

function endProblem({ period, previousPeriod }: VisitorsInputs, end: End): string | undefined {
  switch (end.kind) {
    case 'whole':
      return undefined;
    case 'limit': {
      const withoutCompare = previousPeriod ? ', without compare' : '';
      const limit = end.limit === 'memory' ? tooLong : 'max-requests is used up';
      return `there are more, and ${limit}: to export the rest, run this action again with ${dateInputs(period)}, offset ${end.nextOffset}${withoutCompare}`;
    }
    case 'empty-batch':
      return `pages may be missing, because ${emptyBatch}`;
  }
}

const emptyBatch = 'the API said that more follow, but sent none';

const tooLong = 'the list is as long as one run can hold';

/** The inputs that ask for the same dates again. */
function dateInputs(period: Period): string {
  const { dateFrom, dateTo } = dateRangeOf(period);
  const dates = [dateFrom && `date-from ${dateFrom}`, dateTo && `date-to ${dateTo}`];
  return dates.filter(Boolean).join(', ') || 'period all';
}

function previousProblem({ rows, duplicates, end }: PreviousList): string | undefined {
  if (duplicates > 0) {
    return `pages of the previous period may be missing, because ${counted(duplicates, 'row')} of it came twice`;
  }
  const compared = `only ${counted(rows.size, 'page')} of the previous period could be compared, because`;
  switch (end.kind) {
    case 'whole':
      return undefined;
    case 'limit':
      return end.limit === 'memory'
        ? `${compared} ${tooLong}`
        : `${compared} it uses at most half of max-requests`;
    case 'empty-batch':
      return `${compared} ${emptyBatch}`;
  }
}

/** What else there is to know about an export, whether or not it is complete. */
export function notesOn({ list, folded }: Exported): readonly Note[] {
  const notes: Note[] = [];
  if (list.totals.total === 0) {
    const text =
      'The API counted no visitors at all: check the dates and project-id, and that analytics are on in the dashboard.';
    notes.push({ level: 'warning', text });
  }
  if (folded.others.length > 0 && folded.pages.length === 0) {
    const text =
      'The output top-pages is empty, because none of the visited paths is a page below docs-root: give the folder whose pages have the paths that visitors see.';
    notes.push({ level: 'warning', text });
  }
  return notes;
}
