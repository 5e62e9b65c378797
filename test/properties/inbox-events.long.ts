import { execFileSync } from 'node:child_process';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { draws } from '../simulation/draws.js';
import { csvOf, exportRows } from '../support/exports.js';
import { type IntakeBench, intakeBench } from '../support/intake-bench.js';
import { IS_ROOT, NOBODY } from '../support/users.js';
import { withoutRights } from '../workspace/opened-workspace.js';
import { type InboxWorld, inboxWorld } from './inbox-world.js';

/** How long worlds are drawn: `FUZZ_SECONDS`, else five minutes. */
const SECONDS = Number(process.env.FUZZ_SECONDS ?? 300);

/** `FUZZ_SEED`: the one world to draw again. When its events meet the run's steps still differs. */
const ONLY_SEED = process.env.FUZZ_SEED === undefined ? null : Number(process.env.FUZZ_SEED);

/** `FUZZ_FROM`: where the worlds begin; else anywhere. */
const FIRST_SEED = ONLY_SEED ?? Number(process.env.FUZZ_FROM ?? Math.floor(Math.random() * 2 ** 31));

const RUNS = 4;

/** What is not touched for so long may be taken; a pause is as likely shorter as longer. */
const STABLE_MS = 10;

it(
  'nothing that happens in an inbox while runs go on loses a row, invents one, breaks the books or ends a run',
  async () => {
    const endMs = performance.now() + SECONDS * 1000;
    const exits: Record<string, number> = {};
    let worlds = 0;
    await loadWhatRunsImport();
    for (
      let seed = FIRST_SEED;
      seed === FIRST_SEED || (ONLY_SEED === null && performance.now() < endMs);
      seed += 1
    ) {
      worlds += 1;
      await live(seed, (exit) => {
        exits[exit] = (exits[exit] ?? 0) + 1;
      });
    }
    console.log(`${worlds} worlds, runs by how they ended: ${JSON.stringify(exits)}`);
  },
  (SECONDS + 120) * 1000,
);

/** What a run loads on demand must be loaded while this user may still read the folder of the tests. */
async function loadWhatRunsImport(): Promise<void> {
  const bench = await intakeBench({});
  bench.drop('a.csv', csvOf(exportRows(2)));
  bench.drop('b.csv', 'Who,What\nada,C-1\n');
  await bench.run();
}

async function live(seed: number, ended: (exit: string) => void): Promise<void> {
  const bench = await intakeBench({ stableFor: `${STABLE_MS}ms` });
  if (IS_ROOT) execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, bench.paths.root]);
  // As a user whom rights stop.
  await withoutRights(async () => {
    const world = inboxWorld(seed, bench);
    const again = () =>
      `Draw it again with FUZZ_SEED=${seed} npm run test:long\n${world.log.slice(-40).join('\n')}`;
    for (let run = 0; run < RUNS; run += 1) {
      const drawn = draws(`${seed} ${run}`);
      for (let events = drawn.between(1, 8); events > 0; events -= 1) world.act();
      await pause(drawn.between(0, 2 * STABLE_MS));
      await runAmid(world, bench, drawn, ended, again);
    }
    world.quieten();
    // What has changed comes in with the run after the one that finds it.
    for (let run = 0; run < 3; run += 1) await runAmid(null, bench, null, ended, again);
    expect(await world.breaches(), again()).toEqual([]);
    expect(await imbalances(bench.ledger), again()).toEqual([]);
  });
}

/** A run with things happening between any two of its steps; without a world nothing happens. */
async function runAmid(
  world: InboxWorld | null,
  bench: IntakeBench,
  drawn: ReturnType<typeof draws> | null,
  ended: (exit: string) => void,
  again: () => string,
): Promise<void> {
  let isOver = false;
  const happening = (async () => {
    while (!isOver && world !== null && drawn !== null) {
      for (let turns = drawn.magnitude(1, 100); turns > 0 && !isOver; turns -= 1) await turn();
      world.act();
    }
  })();
  try {
    const result = await bench.run((event) => {
      if (world !== null && drawn?.chance(0.2) && event.kind !== 'rows') world.act();
    });
    ended(result.exit);
    expect(result.report.balanced, again()).toBe(true);
    const messages = result.troubles.map(({ message, exit }) => `${exit}: ${message}`).join('\n');
    expect(['done', 'attention'], `${messages}\n${again()}`).toContain(result.exit);
  } catch (error) {
    expect.fail(`${error instanceof Error ? error.stack : String(error)}\n${again()}`);
  } finally {
    isOver = true;
    await happening;
  }
}
