/**
 * The number of runs of a property that takes seconds. `npm test` makes do with a fifth of them, and
 * `npm run test:hostile` has them all.
 */
export function heavyRuns(count: number): { readonly numRuns: number } {
  return { numRuns: process.env['ALL_RUNS'] === undefined ? Math.ceil(count / 5) : count };
}
