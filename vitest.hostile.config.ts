import { defineConfig } from 'vitest/config';

/** The properties outside of test/hostile of which `npm test` has fewer runs: see `heavyRuns`. */
const heavy = [
  'agent/open-pull-request/years',
  'agent/prompt/visible-markdown',
  'agent/rerun/attempts',
  'check/docs/page-properties',
  'check/report/hostile',
  'check/rules/rules',
  'visitors/report/top-pages',
].map((name) => `test/unit/${name}.test.ts`);

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
    // As in vitest.config.ts.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
