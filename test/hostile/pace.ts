/** How many times as fast as the wall clock the time of the bundle and of its servers runs. */
export const speed = 60;

/** A pause of the step's time, in milliseconds of the wall clock. */
export function fastForward(durationMs: number): number {
  return durationMs / speed;
}
