/**
 * The longest delay that a timer of Node takes, 24.8 days: it counts in a signed integer of 32 bits,
 * and what is longer fires at once.
 */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * The delay of a timer that has to last for a duration: whole milliseconds, and no less than asked
 * for, except where no timer lasts as long.
 *
 * Clocks count fractions of milliseconds. Node refuses those in `AbortSignal.timeout` and cuts them
 * off in `setTimeout`. Everything that measures a duration by a timer comes through here.
 *
 * @throws RangeError for NaN: no time at all would have a loop run hot, and any other would be a guess
 */
export function toTimerMs(durationMs: number): number {
  if (Number.isNaN(durationMs)) {
    throw new RangeError('A duration is NaN.');
  }
  return Math.min(Math.max(Math.ceil(durationMs), 0), longestTimerMs);
}

/** A signal that is aborted once the duration is over. */
export function timeLimit(durationMs: number): AbortSignal {
  return AbortSignal.timeout(toTimerMs(durationMs));
}
