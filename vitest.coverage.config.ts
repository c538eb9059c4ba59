import { defineConfig } from 'vitest/config';
import { projects } from './vitest.config.ts';

/**
 * The configuration for `npm run coverage`, which prints what the tests run of `src`.
 *
 * Here a step runs from the sources instead of the bundle, because the bundle's source map is too
 * coarse: ncc maps whole lines, and half of our branches are parts of a line.
 */
export default defineConfig({
  test: {
    projects: projects.map((test) => ({
      test: {
        ...test,
        exclude: [
          ...test.exclude.filter((path) => !path.startsWith('test/hostile/')),
          // This tests which files of a bundle are loaded, and here the steps run without a bundle.
          'test/dist/github-lazy.test.ts',
        ],
        // Node itself strips the types, and keeps every position, in the tests and in the steps, so
        // that both count the same statements.
        experimental: { viteModuleRunner: false },
        // Tests with a scaled clock take longer here.
        testTimeout: 120_000,
        // On a busy machine, a test can still time out. Its code counts as run in any case.
        retry: 2,
      },
    })),
    reporters: ['dot'],
    maxWorkers: 4,
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['src/**'],
      reporter: ['text'],
      reportOnFailure: true,
      // Collects the coverage of the processes that the tests start, with NODE_V8_COVERAGE.
      autoAttachSubprocess: true,
    },
  },
});
