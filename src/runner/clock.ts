import { setTimeout as sleep } from 'node:timers/promises';
import { toTimerMs } from '../network/timer.ts';

/** Time and randomness, passed in so that tests can control both. */
export interface Clock {
  /** Milliseconds on a monotonic clock. */
  nowMs(): number;
  /** Milliseconds since 1970, UTC; can jump. */
  todayMs(): number;
  /** Resolves after at least `durationMs`; rejects with the signal's reason once that is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
  /** A number that is at least 0 and less than 1. */
  random(): number;
}

export const realClock: Clock = {
  nowMs: () => performance.now(),
  todayMs: () => Date.now(),
  random: () => Math.random(),
  async sleep(durationMs, signal) {
    signal.throwIfAborted();
    const endMs = performance.now() + durationMs;
    // A timer can fire a moment early, and takes at most 24.8 days. Callers rely on the full duration.
    for (let ms = toTimerMs(durationMs); ms > 0; ms = toTimerMs(endMs - performance.now())) {
      await sleep(ms, undefined, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    }
  },
};
