const second = 1000;

/** Below 5 s a look costs more than it tells; above 60 s people wonder. */
const shortestPauseMs = 5 * second;
const longestPauseMs = 60 * second;

/**
 * The adaptive schedule: the next look comes after a tenth of the time waited so far, less up to a
 * tenth of that at random, kept between 5 s and 60 s.
 *
 * So the end of a job is seen at most 10% of its run time late (5 s for short jobs, 60 s for long
 * ones), and the first hour has at most 95 looks. The randomness keeps many steps that started together from asking together.
 *
 * @param random from 0 to below 1
 */
export function adaptivePauseMs(waitedMs: number, random: number): number {
  const tenthMs = waitedMs * 0.1 * (1 - 0.1 * random);
  return Math.min(Math.max(tenthMs, shortestPauseMs), longestPauseMs);
}

/**
 * The pause before a request that did nothing is sent again: doubled each time from 2 s up to
 * 60 s, less up to half of that at random.
 */
export function backOffMs(attempt: number, random: number): number {
  const longest = Math.min(2 * second * 2 ** Math.min(attempt, 10), longestPauseMs);
  return longest * (1 - 0.5 * random);
}
