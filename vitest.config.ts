import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A bundle under a scaled clock takes a second or two on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
