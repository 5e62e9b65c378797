import { createHash } from 'node:crypto';
import { msFromIso } from '../../src/domain/clock.js';
import type { Gate } from '../../src/domain/gate.js';
import { imbalances } from '../../src/ledger/books.js';
import { countWaiting } from '../../src/ledger/claims.js';
import { decide, select } from '../../src/ledger/decisions.js';
import type { Ledger } from '../../src/ledger/query.js';
import { adoptDeadRuns, beginRun, endRun } from '../../src/ledger/runs.js';
import { createPlatformClient } from '../../src/platform/client.js';
import type { HttpRequest } from '../../src/platform/http.js';
import { createTokenSource } from '../../src/platform/token.js';
import { ledgerGate } from '../../src/push/ledger-gate.js';
import { pushEnvironment } from '../../src/push/push-environment.js';
import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/answer.js';
import type { Faults } from '../../src/sandbox/faults.js';
import { createSandboxPlatform, type SandboxPlatform } from '../../src/sandbox/platform.js';
import { virtualTime } from '../support/virtual-time.js';
import { deliverDrop } from './deliver-drop.js';
import { draws } from './draws.js';
import { emptyLedger } from './empty-ledger.js';
import {
  ARRIVING_INVARIANTS,
  BOOK_INVARIANTS,
  COMMIT_INVARIANTS,
  type Invariant,
  LEAVING_INVARIANTS,
} from './invariants.js';
import { type Commit, clientName, identityKey, ledgerReader, newFacts, recordKey } from './ledger-facts.js';
import { type EnvironmentPlan, type Incident, planWorld, type Trouble } from './plan-world.js';
import { processLedger } from './process-ledger.js';
import { type NetworkOptions, simulatedHttp } from './simulated-network.js';
import { type Machine, type SimulatedProcess, simulatedProcess } from './simulated-process.js';

/** How a world came to its end. */
export interface WorldResult {
  /** null: everything held. */
  readonly violation: { readonly sentence: string; readonly detail: string; readonly atMs: number } | null;
  /** What happened, in order; the last lines of it where `keep` says so. */
  readonly trace: readonly string[];
  /** Of the whole trace: the same for the same seed. */
  readonly digest: string;
  readonly virtualMs: number;
  readonly requests: number;
  readonly accepted: number;
}

/** Lines of the trace that are kept for a violation. */
const LAST_LINES = 60;

/** All faults being over, everything must have come to its end so much later. */
const LIVENESS_MS = 2 * 3_600_000;

/** All rechecks of a learner are over so much later: four at most, each a minute after the other. */
const RECHECKS_MS = 6 * 60_000;

/** Nothing has happened for so long: the world is at rest. */
const LOOK_MS = 5_000;

/** Faults in a row after which an environment counts as down; the circuit breaker's own number. */
const FAULTS_OF_AN_OUTAGE = 5;

const BEGIN = '2026-03-02T08:00:00.000Z';

/** A process that runs, and what can befall it. */
interface Living extends SimulatedProcess {
  interrupt(): void;
  stopAtClaim(forMs: number): void;
  /** Lets it die at the so many-th statement from now on: before it, or once it is committed. */
  dieAt(statement: number, committed: boolean, die: () => void): void;
}

/** Lives through the world of a seed, and says which invariant it broke first, if any. */
export function simulateWorld(seed: number, keep: 'last' | 'all' = 'last'): Promise<WorldResult> {
  const plan = planWorld(seed);
  const time = virtualTime();
  const machine: Machine = { time, wallMs: msFromIso(BEGIN), bootId: 'boot-1', bootedMs: -1_000_000 };
  const shared = emptyLedger();
  const { sqlite } = shared;
  const configs = Object.fromEntries(plan.environments.map(({ name, config }) => [name, config]));
  const facts = newFacts(sqlite, configs);
  const read = ledgerReader(facts);
  const trace: string[] = [];
  const digest = createHash('sha256');
  const learnersUnknown = [...plan.learnersUnknown];
  const living = new Map<number, Living>();
  const published = new Set<number>();
  let executions = 0;
  let requests = 0;
  let isOver = false;
  let finish: (violation: WorldResult['violation']) => void = () => {};

  const say = (who: string, what: string) => {
    if (isOver) return;
    const line = `${time.passedMs()} ${who} ${what}`;
    digest.update(line);
    trace.push(line);
    if (keep === 'last' && trace.length > 2 * LAST_LINES) trace.splice(0, trace.length - LAST_LINES);
  };
  const violated = (sentence: string, detail: string) => {
    if (isOver) return;
    say('VIOLATION', `${sentence} ${detail}`);
    finish({ sentence, detail, atMs: time.passedMs() });
  };
  const ask = <Seen>(invariants: readonly Invariant<Seen>[], seen: Seen) => {
    for (const { sentence, breach } of invariants) {
      const found = breach(facts, seen);
      if (found !== null) violated(sentence, found);
    }
  };

  const platforms = new Map(
    plan.environments.map((environment) => {
      const platform = createSandboxPlatform({
        clients: [
          {
            clientId: environment.config.clientId,
            clientSecret: 'secret',
            scopes: ['content:read', 'content:write', 'completions:read', 'completions:write'],
          },
        ],
        quota: { requests: environment.config.quota.requests, perMs: environment.config.quota.per },
        tokenLifetimeMs: environment.tokenLifetimeMs,
        learners: { unknown: learnersUnknown },
        conflictOnRepeat: environment.conflictOnRepeat,
        random: draws(`${seed}/${environment.name}`).random,
      });
      return [environment.name, platform] as const;
    }),
  );
  const networks = new Map(
    plan.environments.map((environment) => [environment.name, networkTo(environment)]),
  );

  return new Promise((resolve) => {
    finish = (violation) => {
      finish = () => {};
      isOver = true;
      time.stop();
      resolve({
        violation,
        trace: keep === 'all' ? trace : trace.slice(-LAST_LINES),
        digest: digest.digest('hex'),
        virtualMs: time.passedMs(),
        requests,
        accepted: [...facts.submissions.values()].filter(({ state }) => state === 'accepted').length,
      });
      // Whoever is in the middle of something ends it with an error first.
      setImmediate(() => sqlite.close());
    };
    begin();
  });

  function begin(): void {
    plan.processes.forEach((process, index) => {
      time.at(process.beginsMs, () => start(index));
    });
    for (const incident of plan.incidents) time.at(incident.atMs, () => befall(incident));
    for (const phase of plan.phases) {
      const platform = platforms.get(phase.environment);
      time.at(phase.fromMs, () => setFaults(phase.environment, platform));
      time.at(phase.toMs, () => setFaults(phase.environment, platform));
    }
    time.at(plan.learnersKnownAtMs, () => {
      learnersUnknown.length = 0;
    });
    time.at(plan.quietMs, () => {
      say('world', 'nothing goes wrong any more');
      look();
    });
  }

  /** Looks whether everything has come to its end. */
  function look(): void {
    const unfinished = whatIsUnfinished();
    if (unfinished === null) {
      atRest();
    } else if (time.passedMs() > plan.quietMs + LIVENESS_MS) {
      violated('Once nothing goes wrong any more, everything comes to its end.', unfinished);
    } else {
      time.at(time.passedMs() + LOOK_MS, look);
    }
  }

  function whatIsUnfinished(): string | null {
    const missing = plan.drops.findIndex((_, index) => !published.has(index));
    if (missing >= 0) return `drop ${missing} is not published`;
    const open = sqlite.prepare('select attempt_id from attempt_open').pluck().get();
    if (open !== undefined) return `attempt ${open} is open`;
    // Rechecks go on for as long as they are due; what stays on hold then is at rest as well.
    const mayBeRechecked = time.passedMs() < plan.quietMs + RECHECKS_MS;
    const hold = sqlite.prepare('select submission_id from learner_hold').pluck().get();
    if (mayBeRechecked && hold !== undefined) return `the learner of ${hold} is on hold`;
    const under = [...facts.submissions.values()].find(
      ({ state }) => state === 'waiting' || state === 'sending',
    );
    return under ? `${under.id} is ${under.state}` : null;
  }

  function atRest(): void {
    ask(BOOK_INVARIANTS, null);
    const [imbalance] = imbalances(plainLedger());
    if (imbalance) violated('The books balance.', JSON.stringify(imbalance));
    say('world', 'is at rest');
    finish(null);
  }

  function plainLedger(): Ledger {
    return processLedger(shared, clockOfTheWorld(), { before: () => {}, committed: () => {} });
  }

  function clockOfTheWorld() {
    return simulatedProcess(machine, 'world', 'host').clock;
  }

  function setFaults(environment: string, platform: SandboxPlatform | undefined): void {
    const rates: Record<string, number> = {};
    for (const { trouble, rate } of phasesNow(environment)) {
      for (const [kind, share] of Object.entries(PLATFORM_TROUBLES[trouble] ?? {})) {
        rates[kind] = Math.min(1, (rates[kind] ?? 0) + share * rate);
      }
    }
    say(environment, `has troubles ${JSON.stringify(rates)}`);
    platform?.setFaults({ rates } as Faults);
  }

  function phasesNow(environment: string) {
    const now = time.passedMs();
    return plan.phases.filter(
      (phase) => phase.environment === environment && phase.fromMs <= now && now < phase.toMs,
    );
  }

  function networkTo(environment: EnvironmentPlan): NetworkOptions {
    const { name, config } = environment;
    const draw = draws(`${seed}/network/${name}`);
    const platform = platforms.get(name) as SandboxPlatform;
    return {
      time,
      draw,
      latencyMs: plan.latencyMs,
      troublesNow: () =>
        phasesNow(name)
          .filter(({ rate }) => draw.chance(rate))
          .map(({ trouble }): Trouble => trouble),
      leaves: (process, request) => {
        requests += 1;
        const attributes = attributesOf(request);
        say(process.name, `sends ${name} ${attributes === null ? 'token' : describe(attributes)}`);
        ask(LEAVING_INVARIANTS, { environment: name, attributes });
      },
      answered: (process, request) => {
        if (attributesOf(request) !== null) count(facts.unkept, process.name);
      },
      arrive: (request) => {
        const atMs = msFromIso(BEGIN) + time.passedMs() * plan.platformSpeed;
        const answer = arrive(name, config.clientId, platform, request, atMs);
        ask(ARRIVING_INVARIANTS, { environment: name, clientId: config.clientId, atMs });
        return answer;
      },
    };
  }

  function arrive(
    environment: string,
    clientId: string,
    platform: SandboxPlatform,
    request: SandboxRequest,
    atMs: number,
  ): SandboxAnswer {
    const answer = platform.handle(request, Math.floor(atMs));
    const entry = platform.received.at(-1);
    if (entry?.written) {
      const { attributes } = entry;
      count(facts.writes, recordKey(environment, attributes));
      count(facts.identities, identityKey(environment, attributes));
    }
    const arrivals = facts.arrivals.get(clientId) ?? [];
    arrivals.push(atMs);
    facts.arrivals.set(clientId, arrivals);
    say(
      environment,
      `answers ${answer.status} ${answer.fault?.kind ?? ''}${entry?.written ? ' written' : ''}`,
    );
    return answer;
  }

  /** Starts a process, which runs again and again until it dies. */
  function start(index: number): void {
    if (living.has(index)) return;
    const { host, everyMs } = plan.processes[index] ?? { host: 'host', everyMs: 10_000 };
    executions += 1;
    const process = simulatedProcess(machine, `p${index}.${executions}`, host);
    let statementsLeft = Number.POSITIVE_INFINITY;
    let diesCommitted = false;
    let stopsForMs = 0;
    let die = () => {};
    let interrupted = new AbortController();
    const dieNow = () => {
      statementsLeft = Number.POSITIVE_INFINITY;
      die();
      throw new Died();
    };
    const ledger = processLedger(shared, process.clock, {
      before() {
        if (isOver || !process.isAlive()) throw new Died();
        statementsLeft -= 1;
        if (statementsLeft <= 0 && !diesCommitted) dieNow();
      },
      committed() {
        const commit = read(process.name, time.passedMs(), process.clock.nowMs());
        watch(commit);
        if (stopsForMs > 0 && commit.transitions.some(({ event }) => event === 'claimed')) {
          process.stop(stopsForMs);
          stopsForMs = 0;
        }
        if (statementsLeft <= 0 && diesCommitted) dieNow();
      },
    });
    living.set(index, {
      ...process,
      interrupt: () => interrupted.abort(),
      stopAtClaim(forMs) {
        stopsForMs = forMs;
      },
      dieAt(statement, committed, toDie) {
        statementsLeft = statement;
        diesCommitted = committed;
        die = toDie;
      },
    });
    say(process.name, 'starts');
    void (async () => {
      while (process.isAlive()) {
        interrupted = new AbortController();
        await runOnce(process, ledger, interrupted.signal);
        await process.clock.sleep(everyMs);
      }
    })().catch((error: unknown) => {
      if (!process.isAlive() || error instanceof Died) return;
      violated('No run breaks.', error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  }

  async function runOnce(process: SimulatedProcess, ledger: Ledger, stop: AbortSignal): Promise<void> {
    const { clock, owner } = process;
    const runId = beginRun(ledger, 'cron', owner, 'simulation');
    adoptDeadRuns(ledger, runId, owner);
    for (const [index, drop] of plan.drops.entries()) {
      if (drop.atMs > time.passedMs() || published.has(index)) continue;
      if (!(await deliverDrop(process, ledger, runId, index, drop))) break;
      published.add(index);
      say(process.name, `has published drop ${index}`);
    }
    const random = draws(`${seed}/${process.name}/${runId}`).random;
    const pushes = plan.environments.map(async ({ name, config }) => {
      const { requests: most, per, reserve } = config.quota;
      const rule = { requests: most, perMs: per, reserve, pace: config.pace };
      const gate: Gate = ledgerGate(ledger, config.clientId, rule, clock);
      const http = simulatedHttp(process, networks.get(name) as NetworkOptions);
      const result = await pushEnvironment({
        ledger,
        clock,
        owner,
        runId,
        environment: name,
        config,
        gate,
        client: createPlatformClient(config, clock, http),
        tokens: createTokenSource({ environment: config, gate, clock, signal: stop, http }),
        stop,
        random,
        listen: () => {},
      });
      if (result.kind === 'drained' && countWaiting(ledger, name) > 0) {
        violated(
          'An environment is drained only when nothing waits for it.',
          `${countWaiting(ledger, name)} wait`,
        );
      }
      const reason = result.kind === 'unavailable' ? `: ${result.reason}` : '';
      say(process.name, `ends its push to ${name}: ${result.kind}${reason}`);
    });
    for (const result of await Promise.allSettled(pushes)) {
      if (result.status === 'rejected') throw result.reason;
    }
    endRun(ledger, runId, 'done');
  }

  /** What a commit shows, asked of every invariant. */
  function watch(commit: Commit): void {
    for (const { submissionId, event, to } of commit.transitions)
      say(commit.by, `${submissionId} ${event} ${to}`);
    ask(COMMIT_INVARIANTS, commit);
    for (const attempt of commit.attempts) {
      const push = `${attempt.runId} ${attempt.environment}`;
      if ((facts.faults.get(push) ?? 0) >= FAULTS_OF_AN_OUTAGE) facts.probes.add(attempt.id);
    }
    for (const response of commit.responses) {
      const attempt = facts.attempts.get(response.attemptId);
      if (!attempt || response.failure === 'owner-died') continue;
      if (response.status !== null) facts.unkept.set(commit.by, (facts.unkept.get(commit.by) ?? 0) - 1);
      const push = `${attempt.runId} ${attempt.environment}`;
      const { outcome } = response;
      if (outcome === 'accepted' || outcome === 'rejected') facts.faults.set(push, 0);
      if (outcome === 'transient' || outcome === 'unknown') count(facts.faults, push);
      if (outcome === 'throttled') keepQuiet(attempt.environment, response.headers);
    }
  }

  function keepQuiet(environment: string, headers: string | null): void {
    const { clientId, quota } = configs[environment] as EnvironmentPlan['config'];
    const named = (JSON.parse(headers ?? '{}') as Record<string, string>)['retry-after'] ?? '';
    const seconds = /^\d+(\.\d+)?$/.test(named) ? Number(named) : Number.NaN;
    // A date is meant by a clock that may be set; it is left out here.
    const forMs = seconds <= 3_600 ? seconds * 1_000 : named.endsWith('GMT') ? 0 : quota.per;
    const name = clientName(clientId);
    facts.quietUntil.set(name, Math.max(facts.quietUntil.get(name) ?? 0, time.passedMs() + forMs));
  }

  function befall(incident: Incident): void {
    say('world', JSON.stringify(incident));
    switch (incident.kind) {
      case 'crash':
        crash(incident.process, incident.isSeen, incident.restartMs);
        break;
      case 'crash-at-statement':
        living
          .get(incident.process)
          ?.dieAt(incident.statement, incident.committed, () =>
            crash(incident.process, incident.isSeen, incident.restartMs),
          );
        break;
      case 'stop':
        living.get(incident.process)?.stop(incident.forMs);
        break;
      case 'stop-at-claim':
        living.get(incident.process)?.stopAtClaim(incident.forMs);
        break;
      case 'interrupt':
        living.get(incident.process)?.interrupt();
        break;
      case 'set-clock':
        machine.wallMs += incident.byMs;
        break;
      case 'reboot':
        for (const index of [...living.keys()]) crash(index, false, incident.restartMs);
        executions += 1;
        machine.bootId = `boot-${executions}`;
        machine.bootedMs = time.passedMs();
        forgetPauses();
        break;
      case 'rerun':
      case 'dismiss':
        decideByHand(incident.kind, incident);
    }
  }

  /** How much of a pause an earlier boot has left can't be known; it counts as a deadline and a period. */
  function forgetPauses(): void {
    for (const { config } of plan.environments) {
      const name = clientName(config.clientId);
      const untilMs = time.passedMs() + config.deadline + config.quota.per;
      facts.quietUntil.set(name, Math.min(facts.quietUntil.get(name) ?? 0, untilMs));
    }
  }

  function crash(index: number, isSeen: boolean, restartMs: number): void {
    const process = living.get(index);
    if (!process) return;
    process.crash();
    living.delete(index);
    facts.unkept.delete(process.name);
    say(process.name, 'dies');
    // What the kernel says of its pid from now on: that there is no such process.
    if (isSeen) {
      time.at(time.passedMs(), () => {
        sqlite.prepare('update lease set pid = ? where owner = ?').run(NO_PID, process.owner.id);
      });
    }
    time.at(time.passedMs() + restartMs, () => start(index));
  }

  function decideByHand(
    kind: 'rerun' | 'dismiss',
    { states }: Incident & { kind: 'rerun' | 'dismiss' },
  ): void {
    const ledger = processLedger(shared, clockOfTheWorld(), {
      before: () => {},
      committed: () => watch(read('hand', time.passedMs(), ledger.clock.nowMs())),
    });
    const allowed = states.filter((state) => kind === 'dismiss' || state !== 'waiting');
    const selected = select(ledger, { states: allowed });
    decide(ledger, { kind, who: 'hand', because: 'simulated', selection: {} }, selected, null);
  }
}

class Died extends Error {}

/** No process has it: Linux gives numbers up to 2^22. */
const NO_PID = 2 ** 22 + 1;

/** The sandbox's share of each trouble: probabilities for a phase in which every request meets it. */
const PLATFORM_TROUBLES: Readonly<Partial<Record<Trouble, Readonly<Record<string, number>>>>> = {
  noise: {
    'server-error': 0.1,
    'bad-gateway': 0.05,
    throttle: 0.05,
    'drop-before': 0.05,
    'drop-after': 0.05,
    unauthorized: 0.03,
  },
  throttled: { throttle: 1 },
  'server-errors': { 'server-error': 0.7, 'bad-gateway': 0.3 },
  'lost-answers': { 'drop-after': 0.3 },
  'revoked-tokens': { unauthorized: 1 },
  forbidden: { forbidden: 1 },
  pages: { html: 1 },
  'token-host-down': { 'tls-closed': 0.5 },
};

function attributesOf(request: HttpRequest): unknown {
  if (request.url.endsWith('/oauth/token')) return null;
  return (JSON.parse(request.body) as { data: { attributes: unknown } }).data.attributes;
}

function describe(attributes: unknown): string {
  const {
    'user-id': user,
    'content-id': content,
    'completed-at': at,
    percentile,
  } = attributes as Record<string, string>;
  return `${user} ${content} ${at} ${percentile ?? ''}`;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
