import { CancelledError } from './errors.ts';

/** The runner sends these when a run is cancelled; SIGBREAK is the second stage on Windows. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * Returns a signal that is aborted when the step has to stop: with a `CancelledError` if the run is
 * cancelled, or with the first uncaught error.
 *
 * Jobs with `container:` get no process signal. There, only the log's pipe breaks, so a broken stdout
 * also counts as a cancel. The listeners also keep later signals, pipe errors and uncaught errors from
 * killing the process before the outputs are written.
 */
export function watchForStop(runnerProcess: NodeJS.Process): AbortSignal {
  const stop = new AbortController();
  const cancel = (why: string) => stop.abort(new CancelledError(why));
  for (const name of cancelSignals) {
    runnerProcess.on(name, () => cancel(`received ${name}`));
  }
  runnerProcess.stdout.on('error', () => cancel('the log is no longer read'));
  // Errors in callbacks. Node turns unhandled rejections into the same event.
  runnerProcess.on('uncaughtException', (error: unknown) => stop.abort(error));
  return stop.signal;
}
