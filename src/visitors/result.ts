import { type ErrorResult, explainError, type Mistake } from '../common/explain-error.ts';
import type { SkippedResult } from '../common/skip.ts';
import type { Conclusion, Runner } from '../runner/step.ts';
import type { Export } from './export.ts';
import type { VisitorsInputs } from './inputs.ts';

/** What became of the step, as the output `result` names it. */
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

/** The result that a thrown error means; a cancelled run explains every error of its last moment. */
export function resultOfError(
  error: unknown,
  runner: Pick<Runner, 'cancelled' | 'broken' | 'log'>,
): Result {
  return runner.cancelled.aborted
    ? { result: 'cancelled' }
    : { result: 'error', ...explainError(error, runner) };
}

/** Whether the file has all that was asked for. */
export function isComplete({ end, before }: Export): boolean {
  return end.kind === 'whole' && before?.isWhole !== false;
}

/** How loudly a result is told; `failure` makes the step fail. */
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

/** A list cut short by the service is a warning; one that a run more completes is not. */
function levelOfExport(done: Export): Conclusion['level'] {
  if (done.end.kind === 'empty-batch') {
    return 'warning';
  }
  return isComplete(done) ? 'info' : 'notice';
}
