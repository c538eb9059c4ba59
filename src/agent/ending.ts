import { explainError } from '../common/explain-error.ts';
import { JobMayExistError } from '../platform/errors.ts';
import type { Runner } from '../runner/step.ts';
import { jobIdOf, type Known } from './known.ts';
import type { CancelPhase, Ending } from './result.ts';

/** The ending that a thrown error means; a cancelled run explains every error of its last moment. */
export function endingOf(
  error: unknown,
  { cancelled, log }: Pick<Runner, 'cancelled' | 'log'>,
  known: Known,
): Ending {
  return cancelled.aborted
    ? { kind: 'cancelled', jobId: jobIdOf(known), phase: phaseOf(error, known.sinceMs) }
    : { kind: 'error', ...explainError(error, log) };
}

function phaseOf(error: unknown, sinceMs: number | undefined): CancelPhase {
  if (error instanceof JobMayExistError) {
    return 'sending';
  }
  return sinceMs === undefined ? 'before' : 'waiting';
}
