import { explainError } from '../common/explain-error.ts';
import { JobMayExistError } from '../platform/errors.ts';
import type { Runner } from '../runner/step.ts';
import { jobIdOf, type Known } from './known.ts';
import type { Ending, Phase } from './result.ts';
import { SendingError } from './start.ts';

/** The ending that a thrown error means; a cancelled run explains every error of its last moment. */
export function endingOf(
  error: unknown,
  runner: Pick<Runner, 'cancelled' | 'broken' | 'log'>,
  known: Known,
): Ending {
  const jobId = jobIdOf(known);
  const phase = phaseOf(error, known.sinceMs);
  if (runner.cancelled.aborted) {
    return { kind: 'cancelled', jobId, phase };
  }
  const explained = explainError(error instanceof SendingError ? error.cause : error, runner);
  return explained.reason === 'internal-error'
    ? { kind: 'error', ...explained, phase, jobId, lastStatus: known.job?.status }
    : { kind: 'error', ...explained };
}

function phaseOf(error: unknown, sinceMs: number | undefined): Phase {
  if (error instanceof JobMayExistError || error instanceof SendingError) {
    return 'sending';
  }
  return sinceMs === undefined ? 'before' : 'waiting';
}
