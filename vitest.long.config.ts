import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { memoryFolder } from './test/support/memory-folder.js';
import { needTags } from './test/support/needs.js';
import { LEFT_OUT } from './test/support/only-for-files.js';

/** Looks at a rate, which nothing beside it may disturb. */
const ALONE = ['test/flows/two-runs.long.ts'];

/** How fast work goes beside other work, of which the short tests show that it goes on: left out by RATES=0. */
const RATES = process.env.RATES === '0' ? [...ALONE, 'test/flows/busy-service.long.ts'] : [];

/** Install and compile all modules anew, twice: left out by PACKAGING=0. */
const PACKAGING = process.env.PACKAGING === '0' ? ['test/packaging/*.long.ts'] : [];

/** Every address of the console with every hostile text, in a browser: left out by HOSTILE=0. */
const HOSTILE = process.env.HOSTILE === '0' ? ['test/console/hostile/*.long.ts'] : [];

/** An hour of outages, kills and reloads, of which a round takes six minutes: left out by HEALTH_SOAK_MINUTES=0. */
const HEALTH_SOAK = process.env.HEALTH_SOAK_MINUTES === '0' ? ['test/flows/health-soak.long.ts'] : [];

/** Machines that are killed, stalled and cut off from their database: left out by MACHINES_SOAK_MINUTES=0. */
const MACHINES_SOAK = process.env.MACHINES_SOAK_MINUTES === '0' ? ['test/flows/machines-soak.long.ts'] : [];

/** What `npm test` runs, too: with EVERYTHING=1, so that the tests of one suite use the time in which those of the other wait. */
const SHORT = process.env.EVERYTHING === '1' ? ['test/**/*.test.ts'] : [];

/** A year of a schedule, of which the short tests have a spring: left out by YEAR_MONTHS=0. */
const YEAR = process.env.YEAR_MONTHS === '0' ? ['test/schedule/year.long.ts'] : [];

/** With LEDGER=postgres: all flows, and the slower tests for which a database is another ledger. */
const ON_DATABASE = [
  'test/flows/*.test.ts',
  'test/schedule/{spring,year}.long.ts',
  'test/flows/{busy-service,console-story,containers,doctor-platform,doctor-setups,every-command,guided-workbook,health,killed-decisions,killed-rows,many-runs,pgp,results,schedule,signals,soak,stopped-owner}.long.ts',
];
const IS_DATABASE = process.env.LEDGER === 'postgres';

export default defineConfig({
  test: {
    setupFiles: [
      'test/support/property-seed.ts',
      'test/support/require-needs.ts',
      'test/support/release-after-file.ts',
    ],
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
          exclude: [
            ...LEFT_OUT,
            ...ALONE,
            ...RATES,
            ...PACKAGING,
            ...HOSTILE,
            ...HEALTH_SOAK,
            ...MACHINES_SOAK,
            ...YEAR,
          ],
          sequence: { groupOrder: 0 },
        },
      },
      ...(IS_DATABASE || RATES.length > 0
        ? []
        : [{ extends: true as const, test: { name: 'alone', include: ALONE, sequence: { groupOrder: 1 } } }]),
    ],
  },
});
