import { CancelledError } from './errors.ts';

/** What the runner sends when a run is cancelled; SIGBREAK is the second stage on Windows. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * An abort signal that fires when the run is cancelled.
 *
 * In a job with `container:` no signal arrives: there the log's pipe just breaks, so a broken
 * stdout counts too. Listening also keeps later signals and pipe errors from killing the process
 * before the outputs are written.
 */
export function watchForCancel(runnerProcess: NodeJS.Process): AbortSignal {
  const cancel = new AbortController();
  const abort = (why: string) => cancel.abort(new CancelledError(why));
  for (const name of cancelSignals) {
    runnerProcess.on(name, () => abort(`received ${name}`));
  }
  runnerProcess.stdout.on('error', () => abort('the log is no longer read'));
  return cancel.signal;
}
