import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { liveAgain, liveThrough, type Worlds } from './live-through.js';
import { simulateOnDatabases } from './simulate-on-databases.js';

const SIMULATE = fileURLToPath(new URL('../../dist/test/simulation/simulate.js', import.meta.url));

/** Those before the ones of the short tests. */
const FIRST_WORLDS: Worlds = { seeds: [1, 2, 3, 4, 5, 6], compared: 3 };

it(
  `every invariant holds in the first ${FIRST_WORLDS.seeds.length} worlds`,
  {
    timeout: 300_000,
  },
  () => liveThrough(FIRST_WORLDS),
);

it(`the world of seed ${FIRST_WORLDS.compared} is the same each time`, () => liveAgain(FIRST_WORLDS));

const FROM = 100_000;

const SEEDS = process.env.SIMULATION_SEEDS ?? '1000';

it(`every invariant holds in ${SEEDS} worlds`, { timeout: 1_800_000 }, () => {
  const printed = execFileSync(process.execPath, [SIMULATE, '--from', String(FROM), '--seeds', SEEDS], {
    encoding: 'utf8',
  });
  expect(printed).toMatch(new RegExp(`^${SEEDS} worlds, .* 0 violations`, 'm'));
});

const ON_DATABASES = Math.ceil(Number(SEEDS) / 10);

it(`every invariant holds in ${ON_DATABASES} worlds whose ledger is a database`, {
  timeout: 1_800_000,
}, async () => {
  const ended: number[] = [];
  await simulateOnDatabases(FROM, FROM + ON_DATABASES - 1, ({ seed, result }) => {
    expect(result.violation, `seed ${seed}\n${result.trace.join('\n')}`).toBeNull();
    ended.push(seed);
  });
  expect(ended).toHaveLength(ON_DATABASES);
});
