/** Under 5 s adds requests but no information; over 60 s makes people think that the step hangs. */
const shortestIntervalMs = 5_000;
export const longestIntervalMs = 60_000;

/**
 * The adaptive interval: a tenth of the time waited so far, minus up to 10% jitter, clamped to between
 * 5 s and 60 s.
 *
 * The step notices the end of a job at most 10% of its run time late (5 s for short jobs, 60 s for
 * long ones), and polls at most 95 times in the first hour. The jitter keeps steps that started
 * together from polling together. It is applied before the limits, because otherwise the first hour
 * would have more polls.
 *
 * @param random at least 0 and less than 1
 */
export function adaptiveIntervalMs(waitedMs: number, random: number): number {
  const tenthMs = waitedMs * 0.1 * (1 - 0.1 * random);
  return Math.min(Math.max(tenthMs, shortestIntervalMs), longestIntervalMs);
}
