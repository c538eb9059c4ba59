import type { Clock } from '../../src/runner/clock.ts';

/** A clock that jumps instead of sleeping, and remembers the pauses. */
export interface FakeClock extends Clock {
  readonly pausesMs: number[];
  advance(durationMs: number): void;
}

export function fakeClock(random = 0): FakeClock {
  let nowMs = 1_000;
  const pausesMs: number[] = [];
  return {
    pausesMs,
    advance(durationMs) {
      nowMs += durationMs;
    },
    nowMs: () => nowMs,
    todayMs: () => Date.UTC(2026, 0, 5, 8) + nowMs,
    random: () => random,
    async sleep(durationMs, signal) {
      signal.throwIfAborted();
      pausesMs.push(durationMs);
      nowMs += durationMs;
    },
  };
}
