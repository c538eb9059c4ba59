/**
 * The longest delay of a Node timer, 24.8 days. Node stores delays as signed 32-bit integers, and a timer
 * with a longer delay fires at once.
 */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * Converts a duration to the delay of a timer: rounded up to whole milliseconds, and at most the longest
 * delay of a timer.
 *
 * Clocks return fractions of milliseconds, which `AbortSignal.timeout` rejects and `setTimeout` truncates.
 * So every timer must get its delay from this function.
 *
 * @throws RangeError for NaN, because a delay of 0 in its place would make a loop spin
 */
export function toTimerMs(durationMs: number): number {
  if (Number.isNaN(durationMs)) {
    throw new RangeError('A duration is NaN.');
  }
  return Math.min(Math.max(Math.ceil(durationMs), 0), longestTimerMs);
}

/** Returns a signal that is aborted after the duration. */
export function timeLimit(durationMs: number): AbortSignal {
  return AbortSignal.timeout(toTimerMs(durationMs));
}
