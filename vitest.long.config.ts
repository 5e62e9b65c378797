import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.long.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    // Each keeps the machine busy by itself, and one of them looks at a rate.
    fileParallelism: false,
  },
});
