import { explainError } from '../common/explain-error.ts';
import { JobMayExistError } from '../platform/errors.ts';
import type { Runner } from '../runner/step.ts';
import type { Known } from './known.ts';
import type { CancelPhase, Ending } from './result.ts';

/** The ending that a thrown error means; a cancelled run explains every error of its last moment. */
export function endingOf(
  error: unknown,
  { cancelled, log }: Pick<Runner, 'cancelled' | 'log'>,
  { job, sinceMs }: Known,
): Ending {
  const withJob = job === undefined ? {} : { job };
  return cancelled.aborted
    ? { kind: 'cancelled', ...withJob, phase: phaseOf(error, sinceMs) }
    : { kind: 'error', ...explainError(error, log), ...withJob };
}

function phaseOf(error: unknown, sinceMs: number | undefined): CancelPhase {
  if (error instanceof JobMayExistError) {
    return 'sending';
  }
  return sinceMs === undefined ? 'before' : 'waiting';
}
