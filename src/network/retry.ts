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
      /**
       * What to do if the delay would end after the deadline: `shorten` it, so that the last attempt
       * starts at the deadline, or `give-up` at once, because an earlier attempt would be pointless.
       */
      readonly atDeadline: 'shorten' | 'give-up';
      /** Returns the final value, or throws, when no attempt is left. */
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
  /** Called before each delay. */
  readonly onDelay?: (delayMs: number) => void;
}

/**
 * Makes attempts until one is done. This is the only loop that retries requests. It handles delays,
 * jitter, `Retry-After`, the deadline and cancelling. One request is sent a second time without it:
 * `src/agent/report/comment.ts` creates a comment again if GitHub did not confirm it and a search does not
 * find it.
 *
 * @param attempt makes a request and decides what the response means; it can throw to end the loop
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
    if (leftMs <= 0 || (wantedMs > leftMs && outcome.atDeadline === 'give-up')) {
      return outcome.giveUp();
    }
    const delayMs = Math.min(wantedMs, leftMs);
    onDelay?.(delayMs);
    await clock.sleep(delayMs, signal);
  }
}

/** Doubles `delayMs` for each of `retries`, up to `longestMs`. The result is at least `delayMs`. */
export function doubled(delayMs: number, retries: number, longestMs: number): number {
  // After 30 doublings the delay is above every limit, and many more would overflow.
  const doubledMs = delayMs * 2 ** Math.min(Math.max(retries, 0), 30);
  return Math.max(delayMs, Math.min(doubledMs, longestMs));
}

/**
 * Parses a `Retry-After` header, which has seconds or a date.
 *
 * @param nowMs the current time, milliseconds since 1970
 * @returns milliseconds to wait, 0 for a date in the past; `undefined` for a missing or invalid header
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,12}$/.test(text)) {
    return Number(text) * 1000;
  }
  // Only HTTP's date format, because Date.parse would take "-5" for a year.
  const moment = /^[A-Za-z]{3,9}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - nowMs);
}
