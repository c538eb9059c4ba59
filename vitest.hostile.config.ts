import { defineConfig } from 'vitest/config';

/** The hostile tests. Most of them wait most of the time, so many run at once. */
export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/hostile/**/*.test.ts'],
    // .ci/run prints the numbers of tests from this file.
    reporters: ['default', ['json', { outputFile: 'build/hostile.json' }]],
    maxConcurrency: 12,
    testTimeout: 180_000,
  },
});
