import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryClock } from '../network/retry.ts';
import { toTimerMs } from '../network/timer.ts';

/** Time and randomness, passed in so that tests can control both. */
export interface Clock extends RetryClock {
  /** Milliseconds since 1970, UTC; can jump. */
  epochMs(): number;
}

export const realClock: Clock = {
  nowMs: () => performance.now(),
  epochMs: () => Date.now(),
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
