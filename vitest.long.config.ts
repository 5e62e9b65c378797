import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { memoryFolder } from './test/support/memory-folder.js';
import { needTags } from './test/support/needs.js';
import { LEFT_OUT } from './test/support/only-for-files.js';

/** Looks at a rate, which nothing beside it may disturb. */
const ALONE = ['test/flows/two-runs.long.ts'];

/** What takes minutes, or needs large programs, for what shorter tests look at, too: left out by BY_HAND=0. */
const BY_HAND = [
  ...ALONE,
  'test/flows/busy-service.long.ts',
  // An hour of outages, kills and reloads; machines that are killed, stalled and cut off from their database.
  'test/flows/{health,machines}-soak.long.ts',
  // Runs the tests of all missing programs, to be skipped.
  'test/flows/skipped-tests.long.ts',
  // Workbooks that LibreOffice has saved.
  'test/flows/spreadsheet-program.long.ts',
  // Every address of the console with every hostile text, in a browser.
  'test/console/hostile/*.long.ts',
  // These install and compile all modules, build the image, and start a Debian.
  'test/packaging/*.long.ts',
  // A year of a schedule, of which the short tests have a spring.
  'test/schedule/year.long.ts',
];
const LEAVES_OUT = process.env.BY_HAND === '0';

/** What `npm test` runs, too: with EVERYTHING=1, so that the tests of one suite use the time in which those of the other wait. */
const SHORT = process.env.EVERYTHING === '1' ? ['test/**/*.test.ts'] : [];

/** With LEDGER=postgres: all flows, and the slower tests for which a database is another ledger. */
const ON_DATABASE = [
  'test/flows/*.test.ts',
  'test/schedule/{spring,year}.long.ts',
  'test/flows/{busy-service,console-story,containers,doctor-platform,doctor-setups,every-command,correction-workbook,health,killed-decisions,killed-rows,many-runs,pgp,results,schedule,signals,soak,stopped-owner}.long.ts',
];
const IS_DATABASE = process.env.LEDGER === 'postgres';

export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/report-skipped.ts', 'test/support/postgres-server.ts'],
    tags: needTags(),
    env: memoryFolder(),
    experimental: { fsModuleCache: true },
    // No test mocks a module or leaves anything in one.
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Browsers, spreadsheets, locks and killed programs are waited for: two workers more than cores keep these busy meanwhile.
    // A database works beside them.
    maxWorkers: availableParallelism() + (IS_DATABASE ? 1 : 2),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'long',
          include: IS_DATABASE ? ON_DATABASE : ['test/**/*.long.ts', ...SHORT],
          exclude: [...LEFT_OUT, ...(LEAVES_OUT ? BY_HAND : ALONE)],
          sequence: { groupOrder: 0 },
        },
      },
      ...(IS_DATABASE || LEAVES_OUT
        ? []
        : [{ extends: true as const, test: { name: 'alone', include: ALONE, sequence: { groupOrder: 1 } } }]),
    ],
  },
});
