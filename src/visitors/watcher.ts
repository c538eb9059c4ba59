import type { PlatformError } from '../platform/errors.ts';
import { writeOutputs } from '../runner/outputs.ts';
import type { Runner } from '../runner/step.ts';
import { duration } from '../text/duration.ts';
import type { ExportWorld } from './export.ts';
import { outputsOfTotals } from './outputs.ts';
import { many } from './words.ts';

/** Tells of the export while it runs: outputs at once, a quiet log. */
export type Watcher = ExportWorld['watcher'] & {
  /** A request failed, and is going to be repeated. */
  troubled(error: PlatformError, pauseMs: number): void;
};

const heartbeatMs = 60_000;

export function createWatcher(runner: Pick<Runner, 'log' | 'clock' | 'setOutput'>): Watcher {
  const { log, clock } = runner;
  let lastLineMs = clock.nowMs();
  let isTroubled = false;
  const sayNowAndThen = (line: string): void => {
    if (clock.nowMs() - lastLineMs >= heartbeatMs) {
      lastLineMs = clock.nowMs();
      log.info(line);
    } else {
      log.debug(line);
    }
  };
  return {
    totals(totals, before) {
      writeOutputs(runner, outputsOfTotals(totals, before?.totals));
    },
    pages: (count) => sayNowAndThen(`${many(count, 'page')} so far.`),
    troubled(error, pauseMs) {
      const again = `the next try is in ${duration(pauseMs)}`;
      if (isTroubled) {
        sayNowAndThen(`Again ${error.what}; ${again}.`);
        return;
      }
      isTroubled = true;
      log.warning(`A request failed, and is repeated: ${error.what}; ${again}.`);
    },
  };
}
