import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/support/property-seed.ts'],
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The flows mostly wait; by default one core is left idle, which on two cores makes them wait in turn.
    maxWorkers: '100%',
    // No test mocks a module or leaves anything in one: loading all of them anew for each file took half of the time.
    isolate: false,
  },
});
