import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './test/support/memory-folder.js';
import { needTags } from './test/support/needs.js';

/**
 * Files that take five seconds or more, the longest first. What begins last must be short, or the other workers wait for it;
 * on a fresh clone vitest takes the size of a file for its time, and some of these are among the smallest.
 */
const LONGEST = [
  'flows/killed-rows',
  'simulation/simulation',
  'flows/killed-decisions',
  'flows/crash',
  'flows/stopped-owner',
  'flows/unusable-environment',
  'push/push-environment',
  'flows/faults',
  'flows/two-runs',
  'flows/every-command',
  'flows/completion',
  'flows/kill',
  'flows/backup',
  'packaging/package',
  'flows/signals',
  'flows/schedule',
  'flows/demo-operations',
  'packaging/image',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return index < 0 ? LONGEST.length : index;
    };
    // Those of one rank stay in vitest's order.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/support/property-seed.ts', 'test/support/require-needs.ts'],
    globalSetup: 'test/support/report-skipped.ts',
    tags: needTags(),
    env: memoryFolder(),
    include: ['test/**/*.test.ts'],
    // Ends only what hangs: a test takes as long as the machine needs that does much else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Some flows mostly wait for a quota, a back-off or a program: two workers more than cores keep these busy meanwhile.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // No test mocks a module or leaves anything in one: loading all of them anew for each file took half of the time.
    isolate: false,
    // Kept in node_modules, by the content of each file: the longer suite needn't compile all of them once more.
    experimental: { fsModuleCache: true },
  },
});
