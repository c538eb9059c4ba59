import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** What `npm run coverage` runs the tests with. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      reporters: ['dot'],
      // Which of a bundle's files are loaded when: there is no bundle here.
      exclude: ['test/dist/github-lazy.test.ts'],
      // Node itself takes the types out and leaves every position as it is, in the tests' process and
      // in a step's: so both measure the same statements, and can be laid over one another.
      experimental: { viteModuleRunner: false },
      // A scaled clock runs slower here.
      testTimeout: 120_000,
      // A time limit can still pass on a busy machine, and what ran is counted either way.
      retry: 2,
      coverage: {
        enabled: true,
        provider: 'v8',
        include: ['src/**'],
        reporter: ['json'],
        reportOnFailure: true,
        // Sets NODE_V8_COVERAGE for the processes that a test starts, and gathers what they leave.
        autoAttachSubprocess: true,
      },
    },
  }),
);
