import { expect, it } from 'vitest';
import { once } from '../../src/domain/process/once.js';
import { seededRandom } from '../../src/sandbox/seeded-random.js';
import { crashBench, departures } from '../support/crash-bench.js';
import { samples } from '../support/samples.js';

/** `CRASH_SEED`: the one to play again; else they begin anywhere. */
const SEED = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** So many rounds of drops, each of a few rows. */
const ROUNDS = samples(4);

/** The outcome of an undisturbed run, made once. */
const usualOutcome = once(async () => {
  const bench = await crashBench();
  for (let round = 0; round < ROUNDS; round += 1) bench.deliver(round);
  expect((await bench.cli('run', '--json')).code).toBe(1);
  expect(await bench.breaches({ repeats: false })).toEqual([]);
  return bench.outcome();
});

it.each([2, 4])(
  '%i runs at once, each killed at any moment, end where one run ends',
  { timeout: 300_000 },
  async (count) => {
    const { arrivals, ...usual } = await usualOutcome();
    const random = seededRandom(SEED + count);
    const again = `Play it again with CRASH_SEED=${SEED} npm run test:long`;
    const bench = await crashBench({ environment: { resends: 20 } });
    for (let round = 0; round < ROUNDS; round += 1) {
      bench.deliver(round);
      const runs = Array.from({ length: count }, () => bench.start('run', '--json'));
      const killings = runs.map(async (run) => {
        await new Promise((resolve) => setTimeout(resolve, LONGEST_LIFE_MS * random()));
        run.kill('SIGKILL');
        return run.ended;
      });
      const ends = await Promise.all(killings);
      for (const { code, stderr } of ends) expect([null, 0, 1], `${stderr}\n${again}`).toContain(code);
    }
    const { code, stderr } = await bench.cli('run', '--json');
    expect([0, 1], `${stderr}\n${again}`).toContain(code);
    expect(await bench.breaches(), again).toEqual([]);
    // A file during which one run was killed may be counted again by the next.
    expect(departures({ ...bench.outcome(), arrivals }, { ...usual, arrivals }), again).toEqual([]);
  },
);

/** From before the first line of the program to well into its deliveries. */
const LONGEST_LIFE_MS = 2_500;
