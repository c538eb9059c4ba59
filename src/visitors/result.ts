import { type ErrorResult, explainError, type Mistake } from '../common/explain-error.ts';
import type { SkippedResult } from '../common/reasons.ts';
import { CancelledError } from '../runner/errors.ts';
import type { Conclusion, Runner } from '../runner/step.ts';
import type { Export } from './export.ts';
import type { VisitorsInputs } from './inputs.ts';

/** How the step ended, as the output `result` names it. */
export type Result =
  | {
      readonly result: 'exported';
      readonly inputs: VisitorsInputs;
      readonly done: Export;
      /** Path of the file, relative to the workspace. */
      readonly file: string;
    }
  | { readonly result: 'cancelled' }
  | SkippedResult
  | ErrorResult
  | ({ readonly result: 'error' } & Mistake);

/** The result of whatever the run threw; a cancelled run explains every error of its last moment. */
export function resultOfError(
  error: unknown,
  { signal, log }: Pick<Runner, 'signal' | 'log'>,
): Result {
  // An error that nothing caught stops the run, and so explains all that the run threw after it.
  return signal.reason instanceof CancelledError
    ? { result: 'cancelled' }
    : { result: 'error', ...explainError(signal.aborted ? signal.reason : error, log) };
}

/** Whether the file has all that was asked for. */
export function isComplete({ end, before }: Export): boolean {
  return end.kind === 'whole' && before?.isWhole !== false;
}

/** How loudly a result is reported; `failure` makes the step fail. */
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

/** A list cut short by the API is a warning; one that another run completes is not. */
function levelOfExport(done: Export): Conclusion['level'] {
  if (done.end.kind === 'empty-batch') {
    return 'warning';
  }
  return isComplete(done) ? 'info' : 'notice';
}
