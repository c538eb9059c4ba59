import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** The files outside of test/hostile with properties of which `npm test` has fewer runs. */
const heavy = globSync('test/unit/**/*.test.ts').filter((path) =>
  readFileSync(path, 'utf8').includes('heavyRuns'),
);

/** The hostile tests. Most of them wait most of the time, so many run at once. */
export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/hostile/**/*.test.ts', ...heavy],
    env: { ALL_RUNS: 'true', RUN_AGAINST: 'dist' },
    // .ci/run prints the numbers of tests from this file.
    reporters: ['default', ['json', { outputFile: 'build/hostile.json' }]],
    maxConcurrency: 12,
    testTimeout: 180_000,
  },
});
