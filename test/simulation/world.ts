import { createHash } from 'node:crypto';
import { type Clock, msFromIso } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/query.js';
import { virtualTime } from '../support/virtual-time.js';
import { emptyLedger } from './empty-ledger.js';
import { COMMIT_INVARIANTS, type Invariant } from './invariants.js';
import { type Commit, clientName, countOne, type Facts, ledgerReader, newFacts } from './ledger-facts.js';
import { planWorld, type WorldPlan } from './plan-world.js';
import { processLedger, type SharedDatabase } from './process-ledger.js';
import { type Machine, simulatedProcess } from './simulated-process.js';

/** What broke first. */
export interface Violation {
  readonly sentence: string;
  readonly detail: string;
  readonly atMs: number;
}

export interface WorldOptions {
  /** How much of the trace is kept; default: its last lines. */
  readonly keep?: 'last' | 'all';
}

/** A world while it lives: its machine, its ledger, and everything that has been seen of it. */
export interface World {
  readonly seed: number;
  readonly plan: WorldPlan;
  readonly machine: Machine;
  readonly shared: SharedDatabase;
  readonly facts: Facts;
  /** Numbers of the plan's drops that are published. */
  readonly published: Set<number>;
  /** What happens once the next 429 is in the ledger; null: nothing. */
  atNext429: (() => void) | null;
  isOver(): boolean;
  /** Adds a line to the trace. */
  say(who: string, what: string): void;
  /** Asks the invariants about what has just been seen. */
  ask<Seen>(invariants: readonly Invariant<Seen>[], seen: Seen): void;
  /** Ends the world: something that must hold does not. */
  violated(sentence: string, detail: string): void;
  /** To be called after each commit, before anything else happens. */
  committed(by: string, clock: Clock): Commit;
  /** The ledger as somebody has it open who never dies. */
  ledgerOf(name: string): Ledger;
  /** Ends the world; null: everything held. */
  end(violation: Violation | null): void;
}

export const BEGIN = '2026-03-02T08:00:00.000Z';

/** Lines of the trace that are kept for a violation. */
const LAST_LINES = 60;

/** Faults in a row after which an environment counts as down; the circuit breaker's own number. */
const FAULTS_OF_AN_OUTAGE = 5;

export function createWorld(
  seed: number,
  { keep = 'last' }: WorldOptions,
  ended: (violation: Violation | null, trace: readonly string[], digest: string) => void,
): World {
  const plan = planWorld(seed);
  const time = virtualTime();
  const machine: Machine = { time, wallMs: msFromIso(BEGIN), boots: 1, bootedMs: -1_000_000 };
  const shared = emptyLedger();
  const configs = Object.fromEntries(plan.environments.map(({ name, config }) => [name, config]));
  const facts = newFacts(shared.sqlite, configs);
  const read = ledgerReader(facts);
  const trace: string[] = [];
  const digest = createHash('sha256');
  let isOver = false;

  const world: World = {
    seed,
    plan,
    machine,
    shared,
    facts,
    published: new Set(),
    atNext429: null,
    isOver: () => isOver,
    say(who, what) {
      if (isOver) return;
      const line = `${time.passedMs()} ${who} ${what}`;
      digest.update(line);
      trace.push(line);
      if (keep === 'last' && trace.length > 2 * LAST_LINES) trace.splice(0, trace.length - LAST_LINES);
    },
    ask(invariants, seen) {
      for (const { sentence, breach } of invariants) {
        const found = breach(facts, seen);
        if (found !== null) world.violated(sentence, found);
      }
    },
    violated(sentence, detail) {
      world.say('VIOLATION', `${sentence} ${detail}`);
      world.end({ sentence, detail, atMs: time.passedMs() });
    },
    committed(by, clock) {
      const commit = read(by, time.passedMs(), clock.nowMs());
      for (const { submissionId, event, to } of commit.transitions)
        world.say(by, `${submissionId} ${event} ${to}`);
      countDoubtful(facts, commit);
      world.ask(COMMIT_INVARIANTS, commit);
      learn(facts, commit);
      if (world.atNext429 !== null && commit.responses.some(({ status }) => status === 429)) {
        // Not in the middle of the statement that has just been committed.
        time.at(time.passedMs(), world.atNext429);
        world.atNext429 = null;
      }
      return commit;
    },
    ledgerOf(name) {
      const { clock } = simulatedProcess(machine, name, 'host');
      return processLedger(shared, clock, {
        before() {},
        committed: () => void world.committed(name, clock),
      });
    },
    end(violation) {
      if (isOver) return;
      isOver = true;
      time.stop();
      // Whoever is in the middle of something ends it with an error first.
      setImmediate(() => {
        shared.sqlite.close();
        ended(violation, keep === 'all' ? trace : trace.slice(-LAST_LINES), digest.digest('hex'));
      });
    },
  };
  return world;
}

/** Counts what may have been written, by what came back alone. */
function countDoubtful({ attempts, doubtful }: Facts, { transitions, responses }: Commit): void {
  for (const { submissionId, event } of transitions) {
    if (event === 'rerun' || event === 'released') doubtful.delete(submissionId);
  }
  for (const { attemptId, late, outcome, status, failure } of responses) {
    const submissionId = attempts.get(attemptId)?.submissionId;
    const isSilence = status === null && failure !== 'ECONNREFUSED' && outcome === 'unknown';
    const isDoubtful =
      isSilence || (status !== null && (status >= 500 || status < 300) && outcome !== 'accepted');
    if (submissionId !== undefined && late === 0 && isDoubtful) {
      doubtful.set(submissionId, (doubtful.get(submissionId) ?? 0) + 1);
    }
  }
}

/** What is to be remembered of a commit for the ones to come. */
function learn(facts: Facts, { by, atMs, attempts, responses, slots, transitions }: Commit): void {
  for (const { submissionId } of transitions) facts.notBefore.delete(submissionId);
  for (const { id, client } of slots) {
    const quietUntil = facts.quietUntil.get(client) ?? 0;
    if (quietUntil > 0) facts.pauseProbes.set(client, { slotId: id, atMs });
    facts.quietUntil.delete(client);
  }
  for (const { id, runId, environment } of attempts) {
    const push = `${runId} ${environment}`;
    if ((facts.faults.get(push) ?? 0) >= FAULTS_OF_AN_OUTAGE) facts.probes.add(id);
  }
  for (const { attemptId, outcome, status, failure, headers } of responses) {
    const attempt = facts.attempts.get(attemptId);
    if (!attempt || failure === 'owner-died') continue;
    const push = `${attempt.runId} ${attempt.environment}`;
    if (status !== null) facts.unkept.set(by, (facts.unkept.get(by) ?? 0) - 1);
    if (outcome === 'accepted' || outcome === 'rejected') {
      facts.faults.set(push, 0);
      facts.proven.add(push);
    }
    // A request that a process has slept too long for says nothing about the platform.
    const isFault = (outcome === 'transient' || outcome === 'unknown') && failure !== 'fenced';
    if (isFault) countOne(facts.faults, push);
    const { sinceMs = null, longestMs = 0 } = facts.throttled.get(push) ?? {};
    facts.throttled.set(
      push,
      outcome === 'throttled'
        ? { sinceMs: sinceMs ?? atMs, longestMs: Math.max(longestMs, atMs - (sinceMs ?? atMs)) }
        : { sinceMs: null, longestMs },
    );
    const isTriedAgain = transitions.some((one) => one.attemptId === attemptId && one.event === 'retried');
    const forMs = isTriedAgain ? namedMs(headers) : Number.NaN;
    if (forMs <= 3_600_000) facts.notBefore.set(attempt.submissionId, atMs + forMs);
    if (status === 429) keepQuiet(facts, attempt.environment, headers, atMs);
  }
}

/** The `Retry-After` of a 429, read here on its own. */
function keepQuiet(facts: Facts, environment: string, headers: string | null, atMs: number): void {
  const config = facts.configs[environment];
  if (!config) return;
  const ms = namedMs(headers);
  // A date is meant by a clock that may be set; it is left out here.
  const forMs = ms <= 3_600_000 ? ms : retryAfterOf(headers).endsWith('GMT') ? 0 : config.quota.per;
  const client = clientName(config.clientId);
  facts.quietUntil.set(client, Math.max(facts.quietUntil.get(client) ?? 0, atMs + forMs));
}

/** NaN where no number is named. */
function namedMs(headers: string | null): number {
  const named = retryAfterOf(headers);
  return /^\d+(\.\d+)?$/.test(named) ? Number(named) * 1_000 : Number.NaN;
}

function retryAfterOf(headers: string | null): string {
  return (JSON.parse(headers ?? '{}') as Record<string, string>)['retry-after'] ?? '';
}
