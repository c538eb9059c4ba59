import { PermissionCheckError } from '../github/errors.ts';
import { PlatformError, type PlatformReason } from '../platform/errors.ts';
import { EnvironmentError, FileError, InputError } from '../runner/errors.ts';
import type { Log } from '../runner/log.ts';

/** Why a step ended with `error`, as the output `reason` names it. */
export type ErrorReason = PlatformReason | 'bad-input' | 'permission-check-failed';

/** What a thrown error means for the people who read the step's end. */
export interface ExplainedError {
  /** Empty for a mistake of our own, which has no word in the list. */
  readonly reason: ErrorReason | '';
  /** One sentence. */
  readonly message: string;
}

/** The same as a step's result. */
export type ErrorResult = { readonly result: 'error' } & ExplainedError;

/** Explains whatever a story threw; what was not foreseen is told in the debug log alone. */
export function explainError(error: unknown, log: Pick<Log, 'debug'>): ExplainedError {
  if (isForeseen(error)) {
    return { reason: error.reason, message: error.message };
  }
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const name = error instanceof Error ? error.name : typeof error;
  return {
    reason: '',
    message: `This action made a mistake of its own (${name}): run it again with debug logging switched on, and report what the log says.`,
  };
}

type ForeseenError =
  | PlatformError
  | PermissionCheckError
  | InputError
  | EnvironmentError
  | FileError;

function isForeseen(error: unknown): error is ForeseenError {
  return (
    error instanceof PlatformError ||
    error instanceof PermissionCheckError ||
    error instanceof InputError ||
    error instanceof EnvironmentError ||
    error instanceof FileError
  );
}
