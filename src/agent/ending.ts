import { explainError } from '../common/explain-error.ts';
import { JobMayExistError } from '../platform/errors.ts';
import type { Runner } from '../runner/step.ts';
import type { Request } from './inputs.ts';
import type { Known } from './known.ts';
import type { Ending } from './result.ts';

/** The ending that a thrown error means; a cancelled run explains every error of its last moment. */
export function endingOf(
  error: unknown,
  { cancelled, log }: Pick<Runner, 'cancelled' | 'log'>,
  known: Known,
): Ending {
  if (!cancelled.aborted) {
    return { kind: 'error', ...explainError(error, log) };
  }
  const jobId = known.job?.id ?? givenJobId(known.inputs?.request);
  return {
    kind: 'cancelled',
    ...(jobId !== undefined && { jobId }),
    mayHaveStarted: error instanceof JobMayExistError,
  };
}

/** A job to continue exists before the first look at it. */
function givenJobId(request: Request | undefined): string | undefined {
  return request === undefined || request.kind === 'create' ? undefined : request.jobId;
}
