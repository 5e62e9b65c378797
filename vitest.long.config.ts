import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['test/**/*.long.ts'], testTimeout: 600_000, hookTimeout: 60_000 },
});
