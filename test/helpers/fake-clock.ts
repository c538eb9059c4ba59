import type { Clock } from '../../src/runner/clock.ts';

/** A clock that jumps instead of sleeping, and records the delays. */
export interface FakeClock extends Clock {
  readonly delaysMs: number[];
  advance(durationMs: number): void;
}

/** How late a sleep ends. Whole milliseconds would hide bugs with fractions. */
export const lagMs = 0.318_4;

/** Like the real clock, it starts at a fraction of a millisecond, and each sleep ends late. */
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
