import { createHash } from 'node:crypto';
import { msFromIso } from '../../src/domain/clock.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { virtualTime } from '../support/virtual-time.js';
import { type Invariant, NEWS_INVARIANTS } from './invariants.js';
import {
  type AnswerFact,
  countOne,
  type Facts,
  isDoubtful,
  type News,
  newFacts,
  type PermitFact,
} from './ledger-facts.js';
import { ledgerReader, withPermitsTaken } from './ledger-reader.js';
import { planWorld, type WorldPlan } from './plan-world.js';
import { BEGIN, memoryLedger, type WorldLedger } from './process-ledger.js';
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
  /** The ledger, which is empty; default: one in memory. It is closed as the world ends. */
  readonly ledger?: WorldLedger;
}

/** A world while it lives: its machine, its ledger, and everything that has been seen of it. */
export interface World {
  readonly seed: number;
  readonly plan: WorldPlan;
  readonly machine: Machine;
  readonly shared: WorldLedger;
  readonly facts: Facts;
  /** Numbers of the plan's drops that are published. */
  readonly published: Set<number>;
  /** What happens once the next 429 is in the ledger; null: nothing. */
  atNext429: (() => void) | null;
  /** What processes are to do right after their next claim, by their names. */
  readonly atNextClaim: Map<string, () => void>;
  isOver(): boolean;
  /** Adds a line to the trace. */
  say(who: string, what: string): void;
  /** Checks the invariants on what has just been seen. */
  ask<Seen>(invariants: readonly Invariant<Seen>[], seen: Seen): void;
  /** Ends the world: something that must hold does not. */
  violated(sentence: string, detail: string): void;
  /** To be called after each commit: the ledger is looked at before anything else happens. */
  committed(): void;
  /** A process was given a permit. @returns the permit's number. */
  permitted(permit: Pick<PermitFact, 'clientId' | 'purpose' | 'deadlineMs'>): number;
  /** Looks at the ledger now. @param all at every row of it, whether it changed state or not. */
  look(all: boolean): Promise<void>;
  /** The ledger as a reader that never dies has it open. */
  ledgerOf(name: string): Ledger;
  /** Ends the world; null: everything held. */
  end(violation: Violation | null): void;
}

/** Lines of the trace that are kept for a violation. */
const LAST_LINES = 60;

/** Faults in a row after which an environment counts as down; the circuit breaker's own number. */
const FAULTS_OF_AN_OUTAGE = 5;

export function createWorld(
  seed: number,
  { keep = 'last', ledger: shared = memoryLedger() }: WorldOptions,
  ended: (violation: Violation | null, trace: readonly string[], digest: string) => void,
): World {
  const plan = planWorld(seed);
  const lookAtNews = async () => {
    await shared.atRest?.();
    if (!hasNews || isOver) return;
    await world.look(false).catch((error: unknown) => {
      world.violated('The ledger can be queried at any time.', String((error as Error).stack ?? error));
    });
    await shared.atRest?.();
  };
  const time = virtualTime(() => ((hasNews || shared.atRest !== null) && !isOver ? lookAtNews() : null));
  const machine: Machine = { time, wallMs: msFromIso(BEGIN), boots: 1, bootedMs: -1_000_000 };
  const configs = Object.fromEntries(plan.environments.map(({ name, config }) => [name, config]));
  const amending = plan.drops.flatMap(({ sendAmendments }, number) =>
    sendAmendments ? [fileNameOf(number)] : [],
  );
  const facts = newFacts(configs, new Set(amending));
  const read = ledgerReader(facts);
  let permits: Omit<PermitFact, 'permitsTaken'>[] = [];
  let permitsGiven = 0;
  let hasNews = false;
  const observe = () => {
    const { clock } = simulatedProcess(machine, 'world', 'host');
    return { boots: machine.boots, ledger: shared.seenAt({ clock, time }) };
  };
  let observer = observe();
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
    atNextClaim: new Map(),
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
    committed() {
      hasNews = true;
    },
    permitted(permit) {
      permitsGiven += 1;
      permits.push({ ...permit, id: permitsGiven });
      return permitsGiven;
    },
    async look(all) {
      hasNews = false;
      if (observer.boots < machine.boots) observer = observe();
      const { ledger } = observer;
      const granted = permits;
      permits = [];
      const [atMs, wallMs] = [time.passedMs(), ledger.clock.nowMs()];
      const news: News = {
        atMs,
        wallMs,
        permits: await withPermitsTaken(ledger, granted),
        ...(await read(ledger, all)),
      };
      for (const { submissionId, run: runId, event, to } of news.transitions) {
        const by = runId === null ? 'hand' : (facts.processOf.get(runId) ?? 'world');
        world.say(by, `${submissionId} ${event} ${to}`);
        if (event === 'claimed') world.atNextClaim.get(by)?.();
      }
      countDoubtful(facts, news);
      world.ask(NEWS_INVARIANTS, news);
      learn(facts, news);
      if (world.atNext429 !== null && news.answers.some(({ status }) => status === 429)) {
        time.at(time.passedMs(), world.atNext429);
        world.atNext429 = null;
      }
    },
    ledgerOf(name) {
      const { clock } = simulatedProcess(machine, name, 'host');
      return shared.of({ clock, time }, { before() {}, committed: world.committed });
    },
    end(violation) {
      if (isOver) return;
      isOver = true;
      time.stop();
      // A process in the middle of something ends it with an error first.
      setImmediate(async () => {
        await shared.close();
        ended(violation, keep === 'all' ? trace : trace.slice(-LAST_LINES), digest.digest('hex'));
      });
    },
  };
  return world;
}

/** The name under which a drop of the plan comes in. */
export function fileNameOf(number: number): string {
  return `drop-${number}.csv`;
}

/** Counts what may have been written, by what came back alone. */
function countDoubtful({ attempts, doubtful }: Facts, { transitions, answers }: News): void {
  for (const { submissionId, event } of transitions) {
    if (event === 'rerun' || event === 'released') doubtful.delete(submissionId);
  }
  for (const answer of answers) {
    const submissionId = attempts.get(answer.attemptId)?.submissionId;
    if (submissionId !== undefined && !answer.isLate && isDoubtful(answer)) {
      doubtful.set(submissionId, (doubtful.get(submissionId) ?? 0) + 1);
    }
  }
}

/** Remembers the facts that later news need. */
function learn(facts: Facts, news: News): void {
  const { atMs, attempts, answers, permits, transitions } = news;
  for (const { submissionId, cause } of transitions) {
    facts.notBefore.delete(submissionId);
    const dropId = facts.submissions.get(submissionId)?.dropId;
    if (cause === 'canary' && dropId !== undefined) facts.stoppedDrops.add(dropId);
  }
  for (const { id, clientId, deadlineMs } of permits) {
    const quietUntil = facts.quietUntil.get(clientId) ?? 0;
    // It may have been given back before the next look.
    const isProbe = quietUntil > 0 && !facts.unusedPlaces.has(id);
    if (isProbe) facts.pauseProbes.set(clientId, { permitId: id, atMs, deadlineMs });
    facts.quietUntil.delete(clientId);
  }
  for (const answer of answers) learnAnswer(facts, answer, news);
  // An answer frees the way for the next attempt, not the other way round.
  for (const { id, runId, environment } of attempts) {
    const pushes = facts.pushes.get(environment) ?? [];
    if (!pushes.includes(runId)) facts.pushes.set(environment, [...pushes, runId]);
    if ((facts.faults.get(`${runId} ${environment}`) ?? 0) >= FAULTS_OF_AN_OUTAGE) facts.probes.add(id);
  }
}

function learnAnswer(facts: Facts, answer: AnswerFact, { atMs, transitions }: News): void {
  const { attemptId, outcome, status, failure } = answer;
  const attempt = facts.attempts.get(attemptId);
  if (!attempt || failure === 'owner-died') return;
  const push = `${attempt.runId} ${attempt.environment}`;
  const process = facts.processOf.get(attempt.runId) ?? '';
  const unkept = facts.unkept.get(process);
  if (status !== null && unkept !== undefined) facts.unkept.set(process, unkept - 1);
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
  const isTriedAgain = transitions.some((one) => one.attempt === attemptId && one.event === 'retried');
  const forMs = isTriedAgain ? namedMs(answer) : Number.NaN;
  if (forMs <= 3_600_000) facts.notBefore.set(attempt.submissionId, atMs + forMs);
  if (status === 429) keepQuiet(facts, attempt.environment, answer, atMs);
}

/** The `Retry-After` of a 429, read here on its own. */
function keepQuiet(facts: Facts, environment: string, answer: AnswerFact, atMs: number): void {
  const config = facts.configs[environment];
  if (!config) return;
  const ms = namedMs(answer);
  // A date is meant by a clock that may be set; it is left out here.
  const forMs = ms <= 3_600_000 ? ms : retryAfterOf(answer).endsWith('GMT') ? 0 : config.quota.perMs;
  const until = facts.quietUntil.get(config.clientId) ?? 0;
  facts.quietUntil.set(config.clientId, Math.max(until, atMs + forMs));
}

/** NaN where no number is named. */
function namedMs(answer: AnswerFact): number {
  const named = retryAfterOf(answer);
  return /^\d+(\.\d+)?$/.test(named) ? Number(named) * 1_000 : Number.NaN;
}

function retryAfterOf({ headers }: AnswerFact): string {
  return headers['retry-after'] ?? '';
}
