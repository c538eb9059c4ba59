/** A signal that is aborted with the first of others, for as long as it is needed. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the others. */
  release(): void;
}

/**
 * Joins signals for one call. `AbortSignal.any` would keep a little of every call for as long as the
 * run can be cancelled, and a run can poll its job for days.
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
