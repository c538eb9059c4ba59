import type { PlatformError } from '../../platform/errors.ts';
import type { Runner } from '../../runner/runner.ts';
import { duration } from '../../text/duration.ts';
import type { ExportObserver } from '../export.ts';
import type { VisitorsState } from '../state.ts';
import { many } from './messages.ts';

/** Updates the state and the log as the export progresses. */
export interface ProgressLog extends ExportObserver {
  /** A request failed and will be retried. */
  retrying(error: PlatformError, delayMs: number): void;
}

const heartbeatMs = 60_000;

export function createProgressLog(
  { log, clock }: Pick<Runner, 'log' | 'clock'>,
  state: VisitorsState,
): ProgressLog {
  let lastLineMs = clock.nowMs();
  let hasFailed = false;
  const printOccasionally = (line: string): void => {
    if (clock.nowMs() - lastLineMs >= heartbeatMs) {
      lastLineMs = clock.nowMs();
      log.info(line);
    } else {
      log.debug(line);
    }
  };
  return {
    totals(totals, before) {
      state.learn({ totals, ...(before && { previousTotals: before.totals }) });
    },
    pages: (count) => printOccasionally(`${many(count, 'page')} so far.`),
    retrying(error, delayMs) {
      const next = `the next attempt is in ${duration(delayMs)}`;
      if (hasFailed) {
        printOccasionally(`A request failed again: ${error.what}; ${next}.`);
        return;
      }
      hasFailed = true;
      log.warning(`A request failed and will be repeated: ${error.what}; ${next}.`);
    },
  };
}
