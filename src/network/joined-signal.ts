/** A signal that is aborted when one of several others is. */
interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Removes the listeners from the other signals. */
  release(): void;
}

/**
 * Joins signals for one request. `AbortSignal.any` would leak a little memory for every request until
 * the run ends, and a run can poll its job for days.
 */
export function joinSignals(signals: readonly AbortSignal[]): JoinedSignal {
  const first = new AbortController();
  const abort = () => first.abort(signals.find(({ aborted }) => aborted)?.reason);
  for (const signal of signals) {
    signal.addEventListener('abort', abort);
  }
  if (signals.some(({ aborted }) => aborted)) {
    abort();
  }
  return {
    signal: first.signal,
    release() {
      for (const signal of signals) {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
