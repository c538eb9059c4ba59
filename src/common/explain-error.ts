import { PermissionCheckError } from '../github/errors.ts';
import { PlatformError } from '../platform/errors.ts';
import { EarlierAttemptError, EnvironmentError, FileError, InputError } from '../runner/errors.ts';
import type { Log } from '../runner/log.ts';
import type { ErrorReason } from './reasons.ts';

/** What a thrown error means for the people who read the step's end. */
export interface ExplainedError {
  readonly reason: ErrorReason;
  /** One sentence. */
  readonly message: string;
}

/** The same as a step's result. */
export type ErrorResult = { readonly result: 'error' } & ExplainedError;

/** A mistake of our own: an error that nobody foresaw. */
export interface Mistake {
  readonly reason: 'internal-error';
  /** Such as `TypeError`. What else the error says may hold what nobody should read. */
  readonly errorName: string;
}

/** Explains whatever a run threw; what was not foreseen is logged for debugging alone. */
export function explainError(error: unknown, log: Pick<Log, 'debug'>): ExplainedError | Mistake {
  if (isForeseen(error)) {
    return { reason: error.reason, message: error.message };
  }
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return {
    reason: 'internal-error',
    errorName: error instanceof Error ? error.name : typeof error,
  };
}

type ForeseenError =
  | PlatformError
  | PermissionCheckError
  | InputError
  | EnvironmentError
  | FileError
  | EarlierAttemptError;

function isForeseen(error: unknown): error is ForeseenError {
  return (
    error instanceof PlatformError ||
    error instanceof PermissionCheckError ||
    error instanceof InputError ||
    error instanceof EnvironmentError ||
    error instanceof FileError ||
    error instanceof EarlierAttemptError
  );
}
