import pLimit from 'p-limit';
import type { EnvironmentConfig } from '../config/schema.js';
import { isoFromMs } from '../domain/clock.js';
import { failpoint } from '../domain/failpoint.js';
import type { PlacedFault } from '../domain/fault.js';
import { takeOver } from '../ledger/answers.js';
import { holdStoppedDrops } from '../ledger/canary.js';
import { claim, countWaiting, type Due, findDue, stuckQueue } from '../ledger/claims.js';
import {
  type Holder,
  holdsLease,
  isLease,
  type Lease,
  releaseLease,
  takeLease,
  underLease,
} from '../ledger/leases.js';
import { endOutages, keepOutages, type OutageCause, outagesOpen } from '../ledger/outages.js';
import { writing } from '../ledger/query.js';
import { recheckLearners } from '../ledger/rechecks.js';
import { isRerun } from '../ledger/runs.js';
import { operationNamed } from '../operations/registry.js';
import { faultRemedy, outageReason, placedFault } from '../platform/fault-words.js';
import { LONGEST_RETRY_AFTER_MS } from '../platform/retry-after.js';
import { answerPolicy } from './answer-policy.js';
import { circuitBreaker } from './circuit-breaker.js';
import { considerHealth, deliver, type EnvironmentHealth, placedIn, refuseOperation } from './deliver.js';
import type { PushContext } from './push-context.js';
import { silence } from './silence.js';

/** How pushing to an environment ended. */
export type PushResult =
  /** Nothing waits any more; of a rerun, nothing that it chose. */
  | { readonly kind: 'drained' }
  /** `stop` was aborted, or the lease was lost; what is left waits. */
  | { readonly kind: 'stopped' }
  /**
   * Another process pushes to this environment. `takesAll`: it will pick up what was staged; else it delivers what a
   * rerun chose and ends, and the next run goes on.
   */
  | { readonly kind: 'elsewhere'; readonly holder: Holder; readonly takesAll: boolean }
  /** The platform or the credentials don't work; what is left waits. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly remedy: string };

/** Wait after a row turned out not to be had after all: another process was faster, or the lease is gone. */
const RETRY_MS = 50;

/** How often a long push looks whose recheck is due. */
const RECHECK_MS = 600_000;

/** Longest wait before the ledger is asked again for rows that another process may have staged. */
const POLL_MS = 500;

/**
 * Delivers all that waits for one environment, under its lease, until nothing is left or it has to stop. Rows staged
 * meanwhile by other processes are picked up: the lease is given back only in a transaction that sees nothing waiting.
 * For a rerun that is so of its own rows: what else waits is left to the next run, and two reruns go one after the
 * other.
 */
export async function pushEnvironment(context: PushContext): Promise<PushResult> {
  const { ledger, environment, config, runId, chosenBy = null } = context;
  const lease = await takeTurn(context);
  if (!isLease(lease)) {
    const takesAll = !isRerun(ledger, lease.runId);
    if (!takesAll && chosenBy !== null) return { kind: 'stopped' };
    return { kind: 'elsewhere', holder: lease, takesAll };
  }
  failpoint('push-lease-taken');

  try {
    return await underLease(ledger, lease, (over) => {
      takeOver(ledger, environment, answerPolicy(config, context.random, true), runId);
      failpoint('attempts-taken-over');
      const recheck = chosenBy === null ? rechecking(context) : () => {};
      recheck();
      context.listen({
        kind: 'begin',
        environment,
        waiting: countWaiting(ledger, environment, { chosenBy }),
      });
      return pushUnderLease(context, lease, over, recheck);
    });
  } finally {
    context.listen({ kind: 'end', environment });
  }
}

/** The lease, or who holds it and takes all that waits. A rerun waits for the end of another: that leaves its rows alone. */
async function takeTurn(context: PushContext): Promise<Lease | Holder> {
  const { ledger, clock, environment, owner, runId, chosenBy = null, stop } = context;
  for (let isQueued = false; ; isQueued = true) {
    const lease = takeLease(ledger, `push:${environment}`, owner, runId);
    if (isLease(lease) || chosenBy === null || stop.aborted || !isRerun(ledger, lease.runId)) return lease;
    if (!isQueued) context.listen({ kind: 'queued', environment, pid: lease.pid });
    await clock.sleep(POLL_MS, stop);
  }
}

async function pushUnderLease(
  context: PushContext,
  lease: Lease,
  over: AbortController,
  recheck: () => void,
): Promise<PushResult> {
  const { ledger, clock, environment, config, runId } = context;
  const outages = outagesOpen(ledger, environment);
  const health: EnvironmentHealth = {
    breaker: circuitBreaker(clock, outages.includes(null)),
    silence: silence(clock),
    refusedTokens: new Set(),
    throttledSinceMs: null,
    unavailable: null,
    refused: new Map(),
    lastFault: null,
    hadToken: false,
    outages,
  };
  let onlyRefusedWait = false;
  let begun = 0;
  const requireProgress = progressOf(context);
  const limit = pLimit(config.inFlight);
  const underWay = new Set<Promise<void>>();
  let broken: { error: unknown } | null = null as { error: unknown } | null;
  const stop = AbortSignal.any([context.stop, over.signal]);
  let wake = new AbortController();
  stop.addEventListener('abort', () => wake.abort());
  const pause = (ms: number) => clock.sleep(Math.min(Math.max(ms, 1), POLL_MS), wake.signal);
  const begin = (delivery: () => Promise<void>) => {
    begun += 1;
    const done = limit(delivery).finally(() => {
      underWay.delete(done);
      wake.abort();
      wake = new AbortController();
    });
    underWay.add(done);
    // What breaks in a delivery (a full disk, a bug) ends the loop, and surfaces where all are awaited.
    done.catch((error) => {
      broken ??= { error };
      over.abort();
    });
  };

  try {
    while (!stop.aborted && health.unavailable === null && !onlyRefusedWait) {
      const mayBegin = roomForOne(health, underWay.size, config.inFlight);
      if (!mayBegin) {
        await pause(underWay.size > 0 ? POLL_MS : health.breaker.probeInMs());
        giveUpAfterOutage(context, health);
        continue;
      }
      recheck();
      if (holdStoppedDrops(ledger, environment, runId)) {
        await pause(1);
        continue;
      }
      const due = findNext(context, health, begun === 0);
      if (due.kind === 'ready') {
        const delivery = await prepare(context, health, lease, due, stop);
        if (typeof delivery === 'function') begin(delivery);
        else {
          if (delivery === 'unclaimed' && underWay.size === 0) requireProgress();
          await pause(underWay.size > 0 ? POLL_MS : RETRY_MS);
        }
        continue;
      }
      if (due.kind === 'nothing' && underWay.size === 0 && giveBackWhenDrained(context, lease)) {
        failpoint('lease-given-back');
        return { kind: 'drained' };
      }
      // What waits is only of operations that can't be delivered.
      onlyRefusedWait = due.kind === 'nothing' && underWay.size === 0 && health.refused.size > 0;
      if (onlyRefusedWait) continue;
      if (due.kind === 'later' && underWay.size === 0) giveUpOnStopped(context, health, due);
      if (underWay.size === 0 && (due.kind === 'nothing' || due.atMs === null)) requireProgress();
      await pause(due.kind === 'later' && due.atMs !== null ? due.atMs - clock.nowMs() : POLL_MS);
    }
  } finally {
    await Promise.allSettled(underWay);
  }
  if (broken) throw broken.error;
  const causes = outageCauses(health);
  if (causes.length === 0) return { kind: 'stopped' };
  const sinceMs = clock.nowMs() - health.breaker.outageMs();
  if (holdsLease(ledger, lease)) keepOutages(ledger, runId, environment, causes, sinceMs);
  // Told to stop while other operations went well.
  if (health.unavailable === null && !onlyRefusedWait && !health.breaker.isOpen()) return { kind: 'stopped' };
  const told = (words: (cause: OutageCause) => string) => [...new Set(causes.map(words))].join('; ');
  return {
    kind: 'unavailable',
    reason: told(({ operation, fault }) => outageReason(operation, fault)),
    remedy: told(({ fault }) => faultRemedy(environment, fault)).replaceAll('.; ', '. '),
  };
}

/** What the push couldn't use, and why: the environment as a whole, else those of its operations that are refused. */
function outageCauses({
  unavailable,
  breaker,
  lastFault,
  refused,
  hadToken,
}: EnvironmentHealth): OutageCause[] {
  // A run that is over before its patience is has found no less.
  const whole = unavailable ?? (breaker.isOpen() ? lastFault : null);
  const [first] = refused.values();
  const isClient = !hadToken && first !== undefined;
  if (whole !== null || isClient) return [{ operation: null, fault: whole ?? (first as PlacedFault) }];
  return [...refused].map(([operation, fault]) => ({
    operation,
    fault: { ...fault, code: fault.code === 'credentials' ? 'scope' : fault.code },
  }));
}

/** Lets learners be asked about again whose time has come: at once, and then now and then, for a push may last for days. */
function rechecking({ ledger, clock, environment, config, runId }: PushContext): () => void {
  const policy = { afterMs: config.recheck.after, times: config.recheck.times };
  let nextMs = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() < nextMs) return;
    nextMs = clock.monotonicMs() + RECHECK_MS;
    recheckLearners(ledger, environment, policy, runId);
  };
}

/**
 * What goes next. Where nothing is left to ask a platform with that isn't known to work but rows that it may have written,
 * a push asks with one of them at its beginning, whose last resend that wouldn't be; the others wait for their time.
 */
function findNext(context: PushContext, health: EnvironmentHealth, isFirst: boolean): Due {
  const { ledger, environment, config, runId, chosenBy = null } = context;
  const isKnownToWork = health.breaker.blamesRow();
  const leftOut = [...health.refused.keys()];
  const due = findDue(ledger, environment, runId, longestBackOffMs(config), leftOut, chosenBy, isKnownToWork);
  if (!isFirst || due.kind !== 'later' || due.stopped === null) return due;
  return due.stopped.resends < config.resends ? { kind: 'ready', ...due.stopped } : due;
}

/**
 * To be asked whenever rows wait, nothing is under way and none of them can be begun or says when: throws OperatorError once
 * that has gone on for so long without any of them having moved that it would go on for ever.
 */
function progressOf({ ledger, environment, chosenBy = null }: PushContext): () => void {
  let before = -1;
  let rounds = 0;
  return () => {
    const waiting = countWaiting(ledger, environment, { chosenBy });
    rounds = waiting === before ? rounds + 1 : 0;
    before = waiting;
    if (rounds >= MOST_ROUNDS) throw stuckQueue(ledger, environment, waiting);
  };
}

/** Another process may be about to write; it takes a second at most. */
const MOST_ROUNDS = 20;

/**
 * Gets what a delivery needs, in this order: a token, a place in the quota, the claim with its attempt. `unclaimed`: the row
 * is not to be had after all.
 */
async function prepare(
  context: PushContext,
  health: EnvironmentHealth,
  lease: Lease,
  due: Due & { kind: 'ready' },
  stop: AbortSignal,
): Promise<(() => Promise<void>) | 'unclaimed' | null> {
  const operation = operationNamed(due.operation);
  const got = await context.tokens.get(operation.scope);
  if ('outcome' in got) {
    const { outcome } = got;
    // With a token for another scope it is this scope that is refused, not the client.
    if (outcome.kind === 'stop' && outcome.ofScope) {
      refuseOperation(health, operation.name, placedIn(context, 'token', outcome));
    } else considerHealth(context, health, outcome, true);
    return null;
  }
  health.hadToken = true;
  if (health.refusedTokens.has(got.token)) {
    const fault = { code: 'token-refused', said: 'the token host gives it out again' } as const;
    health.unavailable ??= placedFault(context.config, 'api', fault);
    return null;
  }
  const purpose = due.priority === 1 ? 'rerun' : 'push';
  const permit = await context.gate.acquire(purpose, context.config.deadline, stop);
  if (!permit) return null;
  failpoint('slot-taken');
  // Refused or given up by the answer to another row, while this one waited for its place.
  if (health.refusedTokens.has(got.token) || health.unavailable !== null) {
    permit.unused();
    return null;
  }
  const claimed = claim(context.ledger, lease, due.submissionId, context.runId, context.chosenBy);
  if (!claimed) {
    permit.unused();
    return 'unclaimed';
  }
  failpoint('attempt-written');
  return () => deliver(context, health, { claimed, lease, token: got.token, permit });
}

/** No try is put off further: by the policy and its spread, or by a Retry-After that is believed. */
function longestBackOffMs(config: EnvironmentConfig): number {
  return Math.max(config.retry.longest * 2, LONGEST_RETRY_AFTER_MS + 60_000);
}

/** While the platform is not working or says nothing, one request at a time; otherwise as many as may be in flight. */
function roomForOne(health: EnvironmentHealth, underWay: number, inFlight: number): boolean {
  if (!health.breaker.isOpen()) return underWay < (health.silence.isSilent() ? 1 : inFlight);
  return underWay === 0 && health.breaker.probeInMs() === 0;
}

function giveUpAfterOutage({ config }: PushContext, health: EnvironmentHealth): void {
  if (health.breaker.outageMs() <= config.outage) return;
  const silent = placedFault(config, 'api', { code: 'no-answer', said: 'no sound answer' });
  health.unavailable ??= health.lastFault ?? silent;
}

/** When nothing is left to ask with but rows that were stopped, for longer than the run may wait, the platform counts as down. */
function giveUpOnStopped(
  context: PushContext,
  health: EnvironmentHealth,
  { atMs, stopped }: Due & { kind: 'later' },
): void {
  const { clock, config } = context;
  if (atMs === null || stopped === null || health.breaker.blamesRow()) return;
  if (atMs - clock.nowMs() + health.breaker.outageMs() <= config.outage) return;
  const said = `rows that it may have written wait until ${isoFromMs(atMs)} before they are sent again`;
  health.unavailable ??= health.lastFault ?? placedFault(config, 'api', { code: 'server-error', said });
}

/** Gives the lease back in the transaction that sees nothing waiting, so that no row is left between two processes. */
function giveBackWhenDrained({ ledger, environment, chosenBy = null }: PushContext, lease: Lease): boolean {
  return writing(ledger, () => {
    if (countWaiting(ledger, environment, { chosenBy }) > 0) return false;
    // Rows that nobody chose may wait still, and say whether it can be used.
    if (chosenBy === null) endOutages(ledger, environment, null);
    releaseLease(ledger, lease);
    return true;
  });
}
