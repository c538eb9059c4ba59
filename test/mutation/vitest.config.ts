import { defineConfig } from 'vitest/config';

/** The pure tests alone: those that drive `dist` see nothing of a change in `src`. */
export default defineConfig({
  test: {
    setupFiles: ['test/helpers/fixed-seed.ts'],
    include: ['test/unit/**/*.test.ts'],
    // Every mutant meets the same values.
    env: { CI: 'true' },
  },
});
