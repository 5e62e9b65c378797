import { imbalances } from '../../src/ledger/imbalances.js';
import { befall } from './befall.js';
import { BOOK_INVARIANTS } from './invariants.js';
import { simulatedPlatforms } from './simulated-platforms.js';
import { simulatedPopulation } from './simulated-population.js';
import { createWorld, type Violation, type World, type WorldOptions } from './world.js';

/** How a world came to its end. */
export interface WorldResult {
  /** null: everything held. */
  readonly violation: Violation | null;
  /** What happened, in order; the last lines of it, or all where that was asked for. */
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
  for (const incident of plan.incidents) time.at(incident.atMs, () => befall(world, population, incident));
  time.at(plan.quietMs, () => {
    world.say('world', 'nothing goes wrong any more');
    look(world);
  });
}

/** Looks again and again whether everything has come to its end. */
function look(world: World): void {
  const { plan, machine } = world;
  const { time } = machine;
  const unfinished = whatIsUnfinished(world);
  if (unfinished === null) {
    end(world);
  } else if (time.passedMs() > plan.quietMs + LIVENESS_MS) {
    world.violated('Once nothing goes wrong any more, everything comes to its end.', unfinished);
  } else {
    time.at(time.passedMs() + LOOK_MS, () => look(world));
  }
}

function whatIsUnfinished({ plan, machine, shared, facts, published }: World): string | null {
  const missing = plan.drops.findIndex((_, index) => !published.has(index));
  if (missing >= 0) return `drop ${missing} is not published`;
  const open = shared.sqlite.prepare('select attempt_id from attempt_open').pluck().get();
  if (open !== undefined) return `attempt ${open} is open`;
  // Rechecks go on for as long as they are due; who stays on hold then is at rest as well.
  const mayBeRechecked = machine.time.passedMs() < plan.quietMs + RECHECKS_MS;
  const hold = shared.sqlite.prepare('select submission_id from learner_hold').pluck().get();
  if (mayBeRechecked && hold !== undefined) return `the learner of ${hold} is on hold`;
  const waits = [...facts.submissions.values()].find(
    ({ state }) => state === 'waiting' || state === 'sending',
  );
  return waits ? `${waits.id} is ${waits.state}` : null;
}

function end(world: World): void {
  world.ask(BOOK_INVARIANTS, null);
  const [imbalance] = imbalances(world.ledgerOf('world'));
  if (imbalance) world.violated('The books balance.', JSON.stringify(imbalance));
  world.say('world', 'is at rest');
  world.end(null);
}
