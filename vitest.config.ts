import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { memoryFolder } from './test/support/memory-folder.js';
import { needTags } from './test/support/needs.js';
import { LEFT_OUT } from './test/support/only-for-files.js';

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/report-skipped.ts', 'test/support/postgres-server.ts'],
    tags: needTags(),
    // A fifth of the samples that slow properties draw: SAMPLES=1 draws all of them.
    env: { SAMPLES: process.env.SAMPLES ?? '0.2', ...memoryFolder() },
    include: ['test/**/*.test.ts'],
    exclude: [...LEFT_OUT],
    // Ends only what hangs: a test takes as long as the machine needs that does much else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Some flows mostly wait for a quota, a back-off or a program: two workers more than cores keep these busy meanwhile.
    // Each further one loads and compiles all modules once more, which takes ten seconds of a processor.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // No test mocks a module or leaves anything in one: loading all of them anew for each file took half of the time.
    isolate: false,
    // Kept in node_modules, by the content of each file: the longer suite needn't compile all of them once more.
    experimental: { fsModuleCache: true },
  },
});
