import type { Gate } from '../../src/domain/environment/gate.js';
import { adoptDeadRuns } from '../../src/ledger/leases/leases.js';
import { beginRun, endRun } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { countWaiting } from '../../src/ledger/submissions/waiting.js';
import { createPlatformClient } from '../../src/platform/client.js';
import type { HttpRequest } from '../../src/platform/http.js';
import { createTokenSource } from '../../src/platform/token.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import { pushEnvironment } from '../../src/push/push-environment.js';
import { deliverDrop } from './deliver-drop.js';
import { type Draws, draws } from './draws.js';
import { ENDED_INVARIANTS } from './invariants.js';
import type { EnvironmentPlan } from './plan-world.js';
import { isTokenRequest, type NetworkOptions, simulatedHttp } from './simulated-network.js';
import { type SimulatedProcess, simulatedProcess } from './simulated-process.js';
import type { World } from './world.js';

/** The processes of a world: each runs again and again, as from cron, until it dies, and is started again after a while. */
export interface Population {
  start(index: number): void;
  /** @param isSeen others on its host notice at once that its pid is gone; else only its lease's expiry shows it. */
  crash(index: number, isSeen: boolean, restartMs: number): void;
  crashAll(restartMs: number): void;
  living(index: number): Living | undefined;
}

/** A running process, and the incidents that it may have. */
export interface Living extends SimulatedProcess {
  /** Interrupts it as a signal does: no more requests begin. */
  interrupt(): void;
  /** SIGSTOP right after its next claim, for so long. */
  stopAtClaim(forMs: number): void;
  /** SIGSTOP right after its next request for a row has left, for so long. */
  stopAtRequest(forMs: number): void;
  /** Lets it die at the so many-th statement from now on: before it, or once it is committed. */
  dieAt(statement: number, committed: boolean, die: () => void): void;
}

export function simulatedPopulation(world: World, networks: ReadonlyMap<string, NetworkOptions>): Population {
  const { plan, machine, shared } = world;
  const { time } = machine;
  const living = new Map<number, Living>();
  let executions = 0;

  const population: Population = {
    start(index) {
      if (living.has(index)) return;
      executions += 1;
      const { host = 'host', everyMs = 10_000 } = plan.processes[index] ?? {};
      const process = simulatedProcess(machine, `p${index}.${executions}`, host);
      const death = deathOf(process);
      let stopsAtRequestForMs = 0;
      const networksOfOwn = new Map(
        [...networks].map(([name, network]) => [
          name,
          {
            ...network,
            leaves: (by: SimulatedProcess, request: HttpRequest) => {
              network.leaves(by, request);
              if (stopsAtRequestForMs === 0 || isTokenRequest(request)) return;
              process.stop(stopsAtRequestForMs);
              stopsAtRequestForMs = 0;
            },
          },
        ]),
      );
      const ledger = shared.of(
        { clock: process.clock, time },
        {
          before() {
            if (world.isOver()) throw new Died();
            death.before();
          },
          committed() {
            world.committed();
            death.committed();
          },
        },
      );
      let interrupted = new AbortController();
      living.set(index, {
        ...process,
        interrupt: () => interrupted.abort(),
        dieAt: death.at,
        stopAtClaim(forMs) {
          world.atNextClaim.set(process.name, () => {
            process.stop(forMs);
            world.atNextClaim.delete(process.name);
          });
        },
        stopAtRequest(forMs) {
          stopsAtRequestForMs = forMs;
        },
      });
      world.say(process.name, 'starts');
      const live = async () => {
        while (process.isAlive()) {
          interrupted = new AbortController();
          await runOnce(world, networksOfOwn, process, ledger, interrupted.signal);
          await process.clock.sleep(everyMs);
        }
      };
      live().catch((error: unknown) => {
        if (!process.isAlive() || error instanceof Died) return;
        world.violated('No run breaks.', error instanceof Error ? String(error.stack) : String(error));
      });
    },
    crash(index, isSeen, restartMs) {
      const process = living.get(index);
      if (!process) return;
      process.crash();
      living.delete(index);
      world.facts.unkept.delete(process.name);
      world.say(process.name, 'dies');
      if (isSeen) time.at(time.passedMs(), () => shared.markGone(process.owner.id));
      time.at(time.passedMs() + restartMs, () => population.start(index));
    },
    crashAll(restartMs) {
      for (const index of [...living.keys()]) population.crash(index, false, restartMs);
    },
    living: (index) => living.get(index),
  };
  return population;
}

/** Thrown through a process that has just died; it throws again at each further query to the ledger. */
class Died extends Error {}

/** Lets a process die at one of its statements. */
function deathOf(process: SimulatedProcess) {
  let statementsLeft = Number.POSITIVE_INFINITY;
  let diesCommitted = false;
  let die = () => {};
  const dieNow = () => {
    statementsLeft = Number.POSITIVE_INFINITY;
    die();
    throw new Died();
  };
  return {
    at(statement: number, committed: boolean, toDie: () => void) {
      statementsLeft = statement;
      diesCommitted = committed;
      die = toDie;
    },
    before() {
      if (!process.isAlive()) throw new Died();
      statementsLeft -= 1;
      if (statementsLeft <= 0 && !diesCommitted) dieNow();
    },
    committed() {
      if (statementsLeft <= 0 && diesCommitted) dieNow();
    },
  };
}

/** One run of one process: the files in the inbox are staged, then all environments are pushed to side by side. */
async function runOnce(
  world: World,
  networks: ReadonlyMap<string, NetworkOptions>,
  process: SimulatedProcess,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<void> {
  const { plan, machine, published } = world;
  const chosenBy = chosenFor(world, process);
  const runId = await beginRun(ledger, chosenBy === null ? 'cron' : 'rerun', process.owner, 'simulation');
  world.facts.processOf.set(runId, process.name);
  if (chosenBy !== null) world.facts.chosenBy.set(runId, chosenBy);
  await adoptDeadRuns(ledger, runId, process.owner);
  for (const [index, drop] of plan.drops.entries()) {
    if (drop.atMs > machine.time.passedMs() || published.has(index)) continue;
    if (!(await deliverDrop(process, ledger, runId, index, drop))) break;
    published.add(index);
    world.say(process.name, `has published drop ${index}`);
  }
  const pushes = plan.environments.map((environment) => {
    const network = networks.get(environment.name);
    if (!network) throw new Error(`no network to ${environment.name}`);
    return push(world, environment, network, process, ledger, runId, chosenBy, stop);
  });
  for (const result of await Promise.allSettled(pushes)) {
    if (result.status === 'rejected') throw result.reason;
  }
  await endRun(ledger, runId, 'done');
}

/** Now and then a run delivers nothing but what the latest rerun chose, as the command does. */
function chosenFor({ seed, machine, facts }: World, { name }: SimulatedProcess): number | null {
  const isRerun = draws(`${seed}/${name}/${machine.time.passedMs()}/rerun`).chance(0.3);
  return isRerun ? ([...facts.chosen.keys()].at(-1) ?? null) : null;
}

async function push(
  world: World,
  { name, config }: EnvironmentPlan,
  network: NetworkOptions,
  process: SimulatedProcess,
  ledger: Ledger,
  runId: number,
  chosenBy: number | null,
  stop: AbortSignal,
): Promise<void> {
  const { clock, owner } = process;
  const draw = draws(`${world.seed}/${process.name}/${runId}/${name}`);
  const ledgers = ledgerGate(ledger, config, clock, name);
  const gate = hesitant(observed(ledgers, world, config.clientId), process, draw, world.plan.stopsWithPermit);
  const http = simulatedHttp(process, network);
  const result = await pushEnvironment({
    ledger,
    clock,
    owner,
    runId,
    environment: name,
    chosenBy,
    config,
    gate,
    client: createPlatformClient(config, clock, http),
    tokens: createTokenSource({ environment: config, gate, clock, signal: stop, http }),
    stop,
    random: draw.random,
    listen: () => {},
  });
  if (result.kind === 'drained' && (await countWaiting(ledger, name, { chosenBy })) > 0) {
    world.violated('An environment is drained only when nothing waits for it.', `${name} is not`);
  }
  const why = result.kind === 'unavailable' ? result.reason : null;
  // Once its last answers were seen.
  world.machine.time.at(world.machine.time.passedMs(), () =>
    world.ask(ENDED_INVARIANTS, { environment: name, runId, reason: why }),
  );
  const reason = why === null ? '' : `: ${why}`;
  world.say(process.name, `ends its push to ${name}: ${result.kind}${reason}`);
}

/** A gate of which the world sees the permits that it gives. */
function observed(gate: Gate, world: World, clientId: string): Gate {
  const { pauseProbes, unusedPlaces } = world.facts;
  return {
    async acquire(purpose, deadlineMs, signal) {
      const permit = await gate.acquire(purpose, deadlineMs, signal);
      if (permit === null) return null;
      const permitId = world.permitted({ clientId, purpose, deadlineMs });
      return {
        ...permit,
        unused() {
          unusedPlaces.add(permitId);
          if (pauseProbes.get(clientId)?.permitId === permitId) pauseProbes.delete(clientId);
          return permit.unused();
        },
      };
    },
  };
}

/** A gate whose process is stopped now and then with the permit in its hands, longer than the permit may be kept. */
function hesitant(gate: Gate, process: SimulatedProcess, draw: Draws, probability: number): Gate {
  return {
    async acquire(purpose, deadlineMs, signal) {
      const permit = await gate.acquire(purpose, deadlineMs, signal);
      if (probability > 0 && draw.chance(probability)) {
        process.stop(draw.magnitude(1_000, 120_000));
        await process.clock.sleep(1);
      }
      return permit;
    },
  };
}
