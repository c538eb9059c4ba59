import { errorMessage } from '../common/result.ts';
import { grouped } from '../text/number.ts';
import { counted, quoted } from '../text/plain.ts';
import type { Export } from './export.ts';
import type { VisitorsInputs } from './inputs.ts';
import { type Exported, type Result, type State, topPagesJson } from './outputs.ts';
import { dateRangeOf, dayRange, type Period } from './period.ts';

/** The sentence that the log ends with. Plain text that still has to be escaped. */
export function messageOf(result: Result, { inputs }: Pick<State, 'inputs'>): string {
  switch (result.result) {
    case 'exported':
      return `${exportedText(result)}.`;
    case 'cancelled':
      return inputs === undefined
        ? 'The run was cancelled before anything was exported.'
        : `The run was cancelled and nothing was exported, so a file ${quoted(inputs.outputFile)} from an earlier run is unchanged.`;
    case 'skipped':
      return result.message;
    case 'error':
      return errorMessage(result);
  }
}

function exportedText({ inputs, done, file }: Exported): string {
  const { totals, pageCount } = done;
  const missing = whatIsMissing(inputs, done);
  const figures = `${counted(totals.total, 'visitor')}, ${grouped(totals.human)} human and ${grouped(totals.ai)} AI`;
  const end = missing === undefined ? `: ${figures}` : `, but ${missing}`;
  return `Exported ${counted(pageCount, 'page')} to ${quoted(file)} (${dayRange(inputs.period)})${end}`;
}

/** Why an export is not complete, and how to continue. A clause without untrusted text. */
export function whatIsMissing(inputs: VisitorsInputs, done: Export): string | undefined {
  const { duplicates } = done;
  const parts = [
    ...(duplicates === 0
      ? []
      : [
          `pages may be missing, because the ranking changed during the export, and ${counted(duplicates, 'row')} came twice`,
        ]),
    ...listProblem(inputs, done),
  ];
  return parts.length === 0 ? undefined : parts.join('; ');
}

/** What is missing at the end of the list, or else of the previous one. */
function listProblem(
  { period, isCompared }: VisitorsInputs,
  { end, before }: Export,
): readonly string[] {
  switch (end.kind) {
    case 'whole':
      return before === undefined || before.isWhole ? [] : [beforeProblem(before)];
    case 'out-of-requests': {
      const withoutCompare = isCompared ? ', without compare' : '';
      return [
        `there are more, and max-requests is used up: to export the rest, run this action again with ${dateInputs(period)}, offset ${end.nextOffset}${withoutCompare}`,
      ];
    }
    case 'empty-batch':
      return ['pages may be missing, because the API said that more follow, but sent none'];
  }
}

/** The inputs that ask for the same dates again. */
function dateInputs(period: Period): string {
  const { dateFrom, dateTo } = dateRangeOf(period);
  const dates = [dateFrom && `date-from ${dateFrom}`, dateTo && `date-to ${dateTo}`];
  return dates.filter(Boolean).join(', ') || 'period all';
}

function beforeProblem({ pages, duplicates }: NonNullable<Export['before']>): string {
  return duplicates > 0
    ? `pages of the previous period may be missing, because ${counted(duplicates, 'row')} of it came twice`
    : `only ${counted(pages.size, 'page')} of the previous period could be compared, because it uses at most half of max-requests`;
}

/** A note about an export in the log and the summary, without untrusted text. */
interface Note {
  readonly level: 'notice' | 'warning';
  readonly text: string;
}

export function notesOn({ inputs, done }: Exported): readonly Note[] {
  const { topInDocs, otherPaths } = done.findings;
  const { leftOut } = topPagesJson(topInDocs);
  const notes: Note[] = [];
  const add = (isTrue: boolean, level: Note['level'], text: string) => {
    if (isTrue) {
      notes.push({ level, text });
    }
  };
  add(
    inputs.offset > 0,
    'notice',
    `The list starts at row ${grouped(inputs.offset + 1)}: pages whose rank changed since the earlier run can be missing from both files, or be in both.`,
  );
  add(
    leftOut > 0,
    'warning',
    `The output top-pages leaves out ${counted(leftOut, 'page')}, because the paths are too long.`,
  );
  add(
    otherPaths > 0 && topInDocs.length === 0,
    'warning',
    'The output top-pages is empty, because none of the visited paths is a page below docs-root: give the folder whose pages have the paths that visitors see.',
  );
  return notes;
}
