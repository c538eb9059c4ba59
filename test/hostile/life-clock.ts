import { toTimerMs } from '../../src/network/timer.ts';
import type { Clock } from '../../src/runner/clock.ts';
import { CancelledError } from '../../src/text/error.ts';

/** The random properties of a clock. */
export interface ClockPlan {
  /** When the run is cancelled, from its start; `undefined` for never. */
  readonly cancelAfterMs: number | undefined;
  /** Numbers that are at least 0 and less than 1, repeated. */
  readonly chances: readonly number[];
  /** How late each sleep ends, repeated: timers are not exact, and a process has to be scheduled. */
  readonly lagsMs: readonly number[];
}

/** A clock that skips hours, with fractions of milliseconds like the real one. */
export interface LifeClock {
  readonly clock: Clock;
  readonly cancelled: AbortSignal;
  /** Lets time pass, up to the moment of the cancel. Returns whether it was reached. */
  pass(durationMs: number): boolean;
  /** Lets a request take its time, up to its limit. Returns whether the run was cancelled. */
  passRequest(latencyMs: number, timeoutMs: number): boolean;
}

export const startMs = 1_000.237_9;

export function createLifeClock({ cancelAfterMs, chances, lagsMs }: ClockPlan): LifeClock {
  const cancel = new AbortController();
  const cancelMs = startMs + (cancelAfterMs ?? Number.POSITIVE_INFINITY);
  const chance = repeat(chances);
  const lagMs = repeat(lagsMs);
  let nowMs = startMs;

  const pass = (durationMs: number): boolean => {
    const isCut = nowMs + durationMs >= cancelMs;
    nowMs = isCut ? Math.max(nowMs, cancelMs) : nowMs + durationMs;
    if (isCut && !cancel.signal.aborted) {
      cancel.abort(new CancelledError('received SIGINT'));
    }
    return isCut;
  };

  return {
    cancelled: cancel.signal,
    pass,
    passRequest: (latencyMs, timeoutMs) => pass(Math.min(latencyMs, timeLimitMs(timeoutMs))),
    clock: {
      nowMs: () => nowMs,
      epochMs: () => Date.UTC(2026, 0, 5) + Math.floor(nowMs),
      random: chance,
      async sleep(durationMs, signal) {
        signal.throwIfAborted();
        pass(toTimerMs(durationMs) > 0 ? durationMs + lagMs() : 0);
        signal.throwIfAborted();
      },
    },
  };
}

/**
 * The time limit of a request: computed by the function for all timers, and validated like the argument
 * of `AbortSignal.timeout`.
 */
function timeLimitMs(timeoutMs: number): number {
  const timerMs = toTimerMs(timeoutMs);
  if (!Number.isInteger(timerMs) || timerMs < 0 || timerMs >= 2 ** 31) {
    throw new RangeError(`The value of "delay" is out of range. Received ${timerMs}`);
  }
  return timerMs;
}

function repeat(numbers: readonly number[]): () => number {
  let count = 0;
  return () => {
    count += 1;
    return numbers[count % numbers.length] ?? 0;
  };
}
