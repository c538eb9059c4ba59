/** The outcome of one attempt. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | {
      readonly kind: 'again';
      /** The delay before the next attempt. Jitter shortens it, and a longer `retryAfterMs` wins. */
      readonly delayMs: number;
      /** The server's `Retry-After`. */
      readonly retryAfterMs?: number | undefined;
      /** The time on the clock after which no attempt starts. */
      readonly deadlineMs: number;
      /** Called before the delay. */
      readonly onDelay?: (delayMs: number) => void;
      /** Returns the final value, or throws, if the next attempt would start after the deadline. */
      readonly giveUp: () => Value;
    };

/** The time and the randomness for delays. */
export interface RetryClock {
  /** Milliseconds on a monotonic clock, with fractions. */
  nowMs(): number;
  /** A number that is at least 0 and less than 1. */
  random(): number;
  /** Resolves after `durationMs`; rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

interface RetryOptions {
  readonly clock: RetryClock;
  /** Cancels a delay. */
  readonly signal: AbortSignal;
  /** The largest fraction of a delay that is randomly subtracted, 0 to 1; 0 by default. */
  readonly jitter?: number;
}

/**
 * Makes attempts until one is done, with growing delays. Polling has a loop of its own, because another poll
 * follows a poll that succeeds.
 *
 * @param attempt makes a request and decides what the response means; it can throw to end the loop
 * @throws whatever `attempt` and `giveUp` throw, and the signal's reason
 */
export async function retry<Value>(
  attempt: (count: number) => Promise<Attempt<Value>>,
  { clock, signal, jitter = 0 }: RetryOptions,
): Promise<Value> {
  for (let count = 0; ; count += 1) {
    const outcome = await attempt(count);
    if (outcome.kind === 'done') {
      return outcome.value;
    }
    signal.throwIfAborted();
    const jitteredMs = outcome.delayMs * (1 - jitter * clock.random());
    const delayMs = Math.max(jitteredMs, outcome.retryAfterMs ?? 0);
    if (delayMs > outcome.deadlineMs - clock.nowMs()) {
      return outcome.giveUp();
    }
    outcome.onDelay?.(delayMs);
    await clock.sleep(delayMs, signal);
  }
}

/** Doubles `delayMs` for each of `retries`, up to `longestMs`. The result is at least `delayMs`. */
export function backoffMs(delayMs: number, retries: number, longestMs: number): number {
  return Math.max(delayMs, Math.min(delayMs * 2 ** retries, longestMs));
}

/**
 * Parses a `Retry-After` header in seconds. Servers may send a date instead, but the clock of this machine may be
 * wrong.
 * @returns milliseconds to wait; `undefined` for anything else than whole seconds
 */
export function readRetryAfter(header = ''): number | undefined {
  return /^\d{1,12}$/.test(header) ? Number(header) * 1000 : undefined;
}
