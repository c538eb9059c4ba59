import { defineConfig } from 'vitest/config';

/** The hostile world: many short runs that mostly wait, so many of them at once. */
export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/hostile/**/*.test.ts'],
    // The figures that .ci/run closes with.
    reporters: ['default', ['json', { outputFile: 'build/hostile.json' }]],
    maxConcurrency: 12,
    testTimeout: 180_000,
  },
});
