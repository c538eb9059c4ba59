import type { ErrorEnd } from '../common/explain-error.ts';
import type { SkippedResult } from '../common/reasons.ts';
import type { Conclusion } from '../runner/step.ts';
import type { Export } from './export.ts';
import type { VisitorsInputs } from './inputs.ts';

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
export function isComplete({ end, before }: Export): boolean {
  return end.kind === 'whole' && before?.isWhole !== false;
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

/** A list that the API cut short is a warning. One that another run can complete is a notice. */
function levelOfExport(done: Export): Conclusion['level'] {
  if (done.end.kind === 'empty-batch') {
    return 'warning';
  }
  return isComplete(done) ? 'info' : 'notice';
}
