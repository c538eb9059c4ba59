import { defineConfig } from 'vitest/config';

/** Only the unit tests, because those that run `dist` do not notice a change in `src`. */
export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/unit/**/*.test.ts'],
    // The same values for every mutant.
    env: { CI: 'true' },
  },
});
