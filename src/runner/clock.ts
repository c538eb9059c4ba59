import { setTimeout as sleep } from 'node:timers/promises';
import { toTimerMs } from '../network/timer.ts';

/** Time and chance, passed in so that tests decide both. */
export interface Clock {
  /** Milliseconds since some fixed moment; never runs backwards. */
  nowMs(): number;
  /** Milliseconds since 1970, UTC; may jump. */
  todayMs(): number;
  /** Resolves after `durationMs`, never sooner; rejects with the signal's reason as soon as it is aborted. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
}

export const realClock: Clock = {
  nowMs: () => performance.now(),
  todayMs: () => Date.now(),
  random: () => Math.random(),
  async sleep(durationMs, signal) {
    signal.throwIfAborted();
    const endMs = performance.now() + durationMs;
    // A timer may fire a moment early, and lasts 24.8 days at most: a deadline must have passed when
    // we say so.
    for (let ms = toTimerMs(durationMs); ms > 0; ms = toTimerMs(endMs - performance.now())) {
      await sleep(ms, undefined, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    }
  },
};
