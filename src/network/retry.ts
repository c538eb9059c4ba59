/** What one attempt came to. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | {
      readonly kind: 'again';
      /** The delay before the next attempt; jitter comes off it, a longer `retryAfterMs` wins. */
      readonly delayMs: number;
      /** What the server asked for in `Retry-After`. */
      readonly retryAfterMs?: number | undefined;
      /** The moment on the clock after which no attempt begins. */
      readonly deadlineMs: number;
      /**
       * What the deadline does to a longer delay: `cut` makes the last attempt right at the deadline,
       * `keep` gives up at once, since an earlier attempt is known to be useless.
       */
      readonly atDeadline: 'cut' | 'keep';
      /** What it comes to when no attempt is left: a value, or an error that is thrown. */
      readonly giveUp: () => Value;
    };

/** The time and the chance that delays are made of. */
export interface RetryClock {
  /** Milliseconds on a clock that never runs backwards; with fractions. */
  nowMs(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

export interface RetryOptions {
  readonly clock: RetryClock;
  /** Ends a delay at once. */
  readonly signal: AbortSignal;
  /** The largest part of a delay, 0 to 1, that is taken off at random; 0 by default. */
  readonly jitter?: number;
  /** Called before each delay. */
  readonly onDelay?: (delayMs: number) => void;
}

/**
 * Makes attempts until one is done. The only loop in which a request is repeated: it owns the delay,
 * its jitter, `Retry-After`, the deadline and cancelling.
 *
 * @param attempt decides what its response means; it may throw to end the loop
 * @throws whatever `attempt` and `giveUp` throw, and the signal's reason
 */
export async function retry<Value>(
  attempt: (count: number) => Promise<Attempt<Value>>,
  { clock, signal, jitter = 0, onDelay }: RetryOptions,
): Promise<Value> {
  for (let count = 0; ; count += 1) {
    const outcome = await attempt(count);
    if (outcome.kind === 'done') {
      return outcome.value;
    }
    signal.throwIfAborted();
    const jitteredMs = outcome.delayMs * (1 - jitter * clock.random());
    const wantedMs = Math.max(jitteredMs, outcome.retryAfterMs ?? 0);
    const leftMs = outcome.deadlineMs - clock.nowMs();
    if (leftMs <= 0 || (wantedMs > leftMs && outcome.atDeadline === 'keep')) {
      return outcome.giveUp();
    }
    const delayMs = Math.min(wantedMs, leftMs);
    onDelay?.(delayMs);
    await clock.sleep(delayMs, signal);
  }
}

/** `delayMs` doubled for each of `retries`, up to `longestMs`; never shorter than it was. */
export function doubled(delayMs: number, retries: number, longestMs: number): number {
  // More doublings than this are above any limit, and would overflow in the end.
  const doubledMs = delayMs * 2 ** Math.min(Math.max(retries, 0), 30);
  return Math.max(delayMs, Math.min(doubledMs, longestMs));
}
