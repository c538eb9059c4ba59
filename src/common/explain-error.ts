import type { Log } from '../runner/log.ts';
import { ActionError, CancelledError, type ErrorReason } from '../text/error.ts';

/** A thrown error, explained to the user. */
interface ExplainedError {
  readonly reason: ErrorReason;
  /** One sentence. */
  readonly message: string;
}

/** An explained error as the step's result. */
export type ErrorResult = { readonly result: 'error' } & ExplainedError;

/** An unexpected error, which is a bug in this action. */
export interface InternalError {
  readonly reason: 'internal-error';
  /** Such as `TypeError`. The error's message is not reported, because it could contain a secret. */
  readonly errorName: string;
}

/** Explains an error that a run threw. The details of an unexpected one only go to the debug log. */
export function explainError(
  error: unknown,
  log: Pick<Log, 'debug'>,
): ExplainedError | InternalError {
  if (error instanceof ActionError) {
    return { reason: error.reason, message: error.message };
  }
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return {
    reason: 'internal-error',
    errorName: error instanceof Error ? error.name : typeof error,
  };
}

/** How a run ends that threw an error. */
export type ErrorEnd =
  | { readonly result: 'cancelled' }
  | ErrorResult
  | ({ readonly result: 'error' } & InternalError);

/** The result for an error that a run threw. After a cancel, every error counts as cancelled. */
export function endOfError(
  error: unknown,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Log, 'debug'> },
): ErrorEnd {
  // An uncaught error stops the run, so it is the cause of everything that was thrown after it.
  return signal.reason instanceof CancelledError
    ? { result: 'cancelled' }
    : { result: 'error', ...explainError(signal.aborted ? signal.reason : error, log) };
}
