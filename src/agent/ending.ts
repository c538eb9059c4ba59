import { JobMayExistError, PlatformError } from '../platform/errors.ts';
import { EnvironmentError, InputError } from '../runner/errors.ts';
import type { Runner } from '../runner/step.ts';
import type { Known } from './known.ts';
import type { Ending } from './result.ts';

/** The ending that a thrown error means; a cancelled run explains every error of its last moment. */
export function endingOf(
  error: unknown,
  { cancelled, log }: Pick<Runner, 'cancelled' | 'log'>,
  { job }: Known,
): Ending {
  const withJob = job === undefined ? {} : { job };
  if (cancelled.aborted) {
    return { kind: 'cancelled', ...withJob, mayHaveStarted: error instanceof JobMayExistError };
  }
  if (isExplained(error)) {
    return { kind: 'error', reason: error.reason, message: error.message, ...withJob };
  }
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const name = error instanceof Error ? error.name : typeof error;
  return {
    kind: 'error',
    reason: '',
    message: `This action made a mistake of its own (${name}): run it again with debug logging switched on, and report what the log says.`,
    ...withJob,
  };
}

type ExplainedError = PlatformError | InputError | EnvironmentError;

function isExplained(error: unknown): error is ExplainedError {
  return (
    error instanceof PlatformError ||
    error instanceof InputError ||
    error instanceof EnvironmentError
  );
}
