import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { applyIncident } from './apply-incident.js';
import { BOOK_INVARIANTS } from './invariants.js';
import { simulatedPlatforms } from './simulated-platforms.js';
import { simulatedPopulation } from './simulated-population.js';
import { createWorld, fileNameOf, type Violation, type World, type WorldOptions } from './world.js';

/** How a world came to its end. */
export interface WorldResult {
  /** null: everything held. */
  readonly violation: Violation | null;
  /** What happened, in order; the last lines of it, or all on request. */
  readonly trace: readonly string[];
  /** Of the whole trace: the same for the same seed. */
  readonly digest: string;
  readonly virtualMs: number;
  /** Requests that reached a platform. */
  readonly requests: number;
  readonly accepted: number;
}

/** All faults being over, everything must have come to its end so much later. */
const LIVENESS_MS = 2 * 3_600_000;

/** How often that is looked at. */
const LOOK_MS = 5_000;

/** All rechecks of a learner are over so much later: four at most, each twenty seconds and a run after the other. */
const RECHECKS_MS = 2 * 60_000;

/** Lives through the world of a seed, and says which invariant it broke first, if any. */
export function simulateWorld(seed: number, options: WorldOptions = {}): Promise<WorldResult> {
  return new Promise((resolve) => {
    const world = createWorld(seed, options, (violation, trace, digest) => {
      const { facts, machine } = world;
      resolve({
        violation,
        trace,
        digest,
        virtualMs: machine.time.passedMs(),
        requests: [...facts.arrivals.values()].reduce((sum, { length }) => sum + length, 0),
        accepted: [...facts.submissions.values()].filter(({ state }) => state === 'accepted').length,
      });
    });
    begin(world);
  });
}

function begin(world: World): void {
  const { plan, machine } = world;
  const { time } = machine;
  const population = simulatedPopulation(world, simulatedPlatforms(world));
  plan.processes.forEach(({ beginsMs }, index) => {
    time.at(beginsMs, () => population.start(index));
  });
  for (const incident of plan.incidents) {
    at(world, incident.atMs, () => applyIncident(world, population, incident));
  }
  at(world, plan.quietMs, async () => {
    world.say('world', 'nothing goes wrong any more');
    await look(world);
  });
}

/** Lets something take place at a time that queries the ledger. */
function at(world: World, atMs: number, happen: () => Promise<void>): void {
  world.machine.time.at(atMs, () => {
    happen().catch((error: unknown) => {
      const detail = error instanceof Error ? String(error.stack) : String(error);
      world.violated('The ledger can be queried at any time.', detail);
    });
  });
}

/** Looks again and again whether everything has come to its end. */
async function look(world: World): Promise<void> {
  const { plan, machine } = world;
  const { time } = machine;
  const unfinished = whatIsUnfinished(world);
  if (unfinished === null) {
    await end(world);
  } else if (time.passedMs() > plan.quietMs + LIVENESS_MS) {
    world.violated('Once nothing goes wrong any more, everything comes to its end.', unfinished);
  } else {
    at(world, time.passedMs() + LOOK_MS, () => look(world));
  }
}

function whatIsUnfinished({ plan, machine, facts, published }: World): string | null {
  const missing = plan.drops.findIndex((_, index) => !published.has(index));
  if (missing >= 0) return `drop ${missing} is not published`;
  const submissions = [...facts.submissions.values()];
  const open = submissions.flatMap(({ attempts }) => attempts).find(({ isOpen }) => isOpen);
  if (open !== undefined) return `attempt ${open.attempt} is open`;
  // Rechecks go on for as long as they are due; who stays on hold then is at rest as well.
  const mayBeRechecked = machine.time.passedMs() < plan.quietMs + RECHECKS_MS;
  const [hold] = facts.onHold;
  if (mayBeRechecked && hold !== undefined) return `the learner ${hold} is on hold`;
  const waits = submissions.find(({ state }) => state === 'waiting' || state === 'sending');
  return waits ? `${waits.id} is ${waits.state}` : null;
}

async function end(world: World): Promise<void> {
  await world.look(true);
  const ledger = world.ledgerOf('world');
  const repeats = new Map<string, number>();
  for (const [index] of world.plan.drops.entries()) {
    const fileName = fileNameOf(index);
    repeats.set(fileName, (await readBooks(ledger, { fileName })).attempts.repeats);
  }
  world.ask(BOOK_INVARIANTS, { repeats });
  const [imbalance] = await imbalances(ledger);
  if (imbalance) world.violated('The books balance.', JSON.stringify(imbalance));
  const miscounted = await miscount(world);
  if (miscounted !== null) world.violated('The metrics count what the ledger holds.', miscounted);
  world.say('world', 'is at rest');
  world.end(null);
}

/** The states that metrics count otherwise than the rows one by one; null: none. */
async function miscount({ facts, ledgerOf }: World): Promise<string | null> {
  const { submissions } = await readState(ledgerOf('world'), ['submissions']);
  const counted = new Map<string, number>();
  const count = (environment: string, state: string, rows: number) => {
    const place = `${environment} ${state}`;
    counted.set(place, (counted.get(place) ?? 0) + rows);
  };
  for (const { environment, state, count: rows } of submissions) count(environment, state, rows);
  for (const { environment, state } of facts.submissions.values()) count(environment, state, -1);
  const wrong = [...counted].filter(([, difference]) => difference !== 0);
  return wrong.length === 0 ? null : JSON.stringify(Object.fromEntries(wrong));
}
