import { realClock } from './clock.ts';

/**
 * A signal that is aborted by the first error that nothing caught, with that error as its reason: an
 * error of a callback, or of a promise that nobody waits for. Node would print it and end the
 * process, and the step would have no result.
 */
export function watchForUncaught(runnerProcess: NodeJS.Process): AbortSignal {
  const broken = new AbortController();
  // Of a promise that nobody waits for, Node makes such an exception itself.
  runnerProcess.on('uncaughtException', (error: unknown) => broken.abort(error));
  return broken.signal;
}

/** Stopping takes moments: requests are dropped, and unfinished files are removed. */
const graceMs = 1000;

/** Rejects with the error that nothing caught, unless the process ends within the time for that. */
export function outOfGrace(broken: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    broken.addEventListener('abort', () => {
      const { signal: never } = new AbortController();
      void realClock.sleep(graceMs, never).then(() => reject(broken.reason));
    });
  });
}
