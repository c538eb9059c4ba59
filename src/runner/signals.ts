import { CancelledError } from './errors.ts';

/** What the runner sends when a run is cancelled; SIGBREAK is the second stage on Windows. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * A signal that is aborted when the step has to stop: with a `CancelledError` when the run is
 * cancelled, otherwise with the first error that nothing caught.
 *
 * In a job with `container:` no process signal arrives: there the log's pipe just breaks, so a broken
 * stdout counts as well. Listening also keeps later signals, pipe errors and uncaught errors from
 * killing the process before the outputs are written.
 */
export function watchForStop(runnerProcess: NodeJS.Process): AbortSignal {
  const stop = new AbortController();
  const cancel = (why: string) => stop.abort(new CancelledError(why));
  for (const name of cancelSignals) {
    runnerProcess.on(name, () => cancel(`received ${name}`));
  }
  runnerProcess.stdout.on('error', () => cancel('the log is no longer read'));
  // An error of a callback; of a promise that nobody waits for, Node makes the same exception.
  runnerProcess.on('uncaughtException', (error: unknown) => stop.abort(error));
  return stop.signal;
}
