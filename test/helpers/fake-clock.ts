import type { Clock } from '../../src/runner/clock.ts';

/** A clock that jumps instead of sleeping, and remembers the delays. */
export interface FakeClock extends Clock {
  readonly delaysMs: number[];
  advance(durationMs: number): void;
}

/** How late a sleep ends: no timer is exact, and what is late by whole milliseconds hides a lot. */
export const lagMs = 0.318_4;

/** It begins at a fraction of a millisecond, and ends each sleep late, as the real one does. */
export function fakeClock(random = 0): FakeClock {
  let nowMs = 1_000.237_9;
  const delaysMs: number[] = [];
  return {
    delaysMs,
    advance(durationMs) {
      nowMs += durationMs;
    },
    nowMs: () => nowMs,
    todayMs: () => Date.UTC(2026, 0, 5, 8) + Math.floor(nowMs),
    random: () => random,
    async sleep(durationMs, signal) {
      signal.throwIfAborted();
      delaysMs.push(durationMs);
      nowMs += Math.max(durationMs, 0) + lagMs;
    },
  };
}
