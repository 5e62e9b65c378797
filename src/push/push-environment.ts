import pLimit from 'p-limit';
import type { EnvironmentConfig } from '../config/schema.js';
import type { Holder } from '../documents/report.js';
import { isoFromMs } from '../domain/clock.js';
import { errorsOf } from '../domain/operator-error.js';
import { failpoint } from '../domain/process/failpoint.js';
import { linkedSignal } from '../domain/process/linked-signal.js';
import { countOf } from '../domain/text/count-of.js';
import type { OutageCause } from '../ledger/attempts/outages.js';
import { type BegunPush, type EndedPush, withPush } from '../ledger/attempts/with-push.js';
import type { Lease } from '../ledger/leases/leases.js';
import { ledgerName } from '../ledger/store/ledger-facts.js';
import { claim, type Due, findDue } from '../ledger/submissions/claims.js';
import type { RecheckPolicy } from '../ledger/submissions/rechecks.js';
import { faultRemedy, outageReason } from '../platform/answers/fault-words.js';
import { callOf } from '../platform/calls/call-of.js';
import { createPlatformClient } from '../platform/client.js';
import { createTokenSource } from '../platform/token.js';
import { answerPolicy } from './answer-policy.js';
import { deliver } from './deliver.js';
import { type EnvironmentHealth, environmentHealth } from './environment-health.js';
import { ledgerGate } from './ledger-gate.js';
import type { PushContext } from './push-context.js';
import { watchQuota } from './watch-quota.js';

export type PushResult =
  /** No row waits any more; for a rerun: none of its own rows. */
  | { readonly kind: 'drained' }
  /** `stop` was aborted, or the lease was lost; the remaining rows wait. */
  | { readonly kind: 'stopped' }
  /** Another process pushes to this environment. `takesAll` false: a rerun, which leaves other rows to the next run. */
  | { readonly kind: 'elsewhere'; readonly holder: Omit<Holder, 'takesAll'>; readonly takesAll: boolean }
  /** The platform or the credentials don't work; the remaining rows wait. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly remedy: string };

/** Wait after a row could not be claimed after all: another process was faster, or the lease is gone. */
const RETRY_MS = 50;

const RECHECK_MS = 600_000;

/** Longest wait before the next query for rows that another process may have staged. */
const POLL_MS = 500;

/** Pushes to an environment over the network, with a client and tokens of its own. */
export async function pushTo(
  environment: string,
  config: EnvironmentConfig,
  context: Omit<PushContext, 'environment' | 'config' | 'gate' | 'client' | 'tokens'>,
): Promise<PushResult> {
  const { ledger, clock, stop } = context;
  const gate = ledgerGate(ledger, config, clock, environment);
  const client = createPlatformClient(config, clock);
  const tokens = createTokenSource({ environment: config, gate, clock, signal: stop });
  try {
    return await pushEnvironment({ ...context, environment, config, gate, client, tokens });
  } finally {
    await client.close();
    await tokens.close();
  }
}

/**
 * Delivers all rows that wait for one environment, under its lease, until none is left or the push has to stop. Rows that
 * other processes stage meanwhile are delivered too: the lease is released only in a transaction that sees no row waiting.
 * A rerun does this for its own rows alone: the other rows are left to the next run.
 */
export async function pushEnvironment(context: PushContext): Promise<PushResult> {
  const { ledger, environment, config, owner, runId, chosenBy = null, listen } = context;
  const policy = answerPolicy(config, context.random, true);
  const settings = { environment, owner, runId, chosenBy, policy };
  const pushed = await withPush(ledger, settings, async (push) => {
    listen({ kind: 'begin', environment, waiting: push.waiting });
    try {
      return await pushAll(context, push);
    } finally {
      listen({ kind: 'end', environment });
    }
  });
  if ('done' in pushed) return pushed.done;
  const { takesAll, ...holder } = pushed.holder;
  return { kind: 'elsewhere', holder, takesAll };
}

async function pushAll(
  context: PushContext,
  { lease, lost, unusable, releaseWhenDrained }: BegunPush,
): Promise<EndedPush<PushResult>> {
  const { clock, environment, config } = context;
  const health = environmentHealth(context, unusable.includes(null));
  let onlyRefusedWait = false;
  let begun = 0;
  const recheck = rechecking(context);
  const requireProgress = progressOf(context);
  const limit = pLimit(config.inFlight);
  const underWay = new Set<Promise<void>>();
  let broken: { error: unknown } | null = null as { error: unknown } | null;
  const over = new AbortController();
  const linked = linkedSignal([context.stop, lost, over.signal]);
  const stop = linked.signal;
  let wake = new AbortController();
  stop.addEventListener('abort', () => wake.abort());
  const pause = (ms: number) => clock.sleep(Math.min(Math.max(ms, 1), POLL_MS), wake.signal);
  const begin = (delivery: () => Promise<void>) => {
    begun += 1;
    // An error in a delivery (a full disk, a bug) ends the loop and is thrown once all deliveries are awaited. It is noted
    // before the loop can see that nothing is under way any more.
    const done = limit(delivery)
      .catch((error: unknown) => {
        broken ??= { error };
        over.abort();
      })
      .finally(() => {
        underWay.delete(done);
        wake.abort();
        wake = new AbortController();
      });
    underWay.add(done);
  };

  const isDrained = async () => {
    const waiting = await releaseWhenDrained();
    if (waiting === 0) failpoint('lease-given-back');
    else requireProgress(waiting);
    return waiting === 0;
  };

  try {
    while (!stop.aborted && !health.isUnavailable() && !onlyRefusedWait) {
      if (!health.hasRoom(underWay.size)) {
        await pause(underWay.size > 0 ? POLL_MS : health.breaker.probeInMs());
        health.waits(0, { code: 'no-answer', message: 'no sound answer' });
        continue;
      }
      const due = await findNext(context, health, begun === 0, recheck());
      if (due.kind === 'ready') {
        const delivery = await prepare(context, health, lease, due, stop);
        if (typeof delivery === 'function') begin(delivery);
        else if (delivery === 'unclaimed' && underWay.size === 0 && (await isDrained())) return DRAINED;
        else await pause(underWay.size > 0 ? POLL_MS : RETRY_MS);
        continue;
      }
      const isIdle = underWay.size === 0 && (due.kind === 'nothing' || due.atMs === null);
      if (isIdle && (await isDrained())) return DRAINED;
      // The rows that wait are all of operations that can't be delivered.
      onlyRefusedWait = due.kind === 'nothing' && underWay.size === 0 && health.refused().length > 0;
      if (onlyRefusedWait) continue;
      if (due.kind === 'later' && underWay.size === 0) giveUpOnStopped(context, health, due);
      await pause(due.kind === 'later' && due.atMs !== null ? due.atMs - clock.nowMs() : POLL_MS);
    }
  } finally {
    await Promise.all(underWay);
    linked.unlink();
  }
  if (broken) throw broken.error;
  const causes = health.causes();
  if (causes.length === 0) return { result: { kind: 'stopped' }, outage: null };
  const outage = { causes, sinceMs: clock.nowMs() - health.breaker.outageMs() };
  // The push was stopped while other operations went well.
  if (!health.isUnavailable() && !onlyRefusedWait && !health.breaker.isOpen())
    return { result: { kind: 'stopped' }, outage };
  const ofEachCause = (words: (cause: OutageCause) => string) => [...new Set(causes.map(words))].join('; ');
  return {
    result: {
      kind: 'unavailable',
      reason: ofEachCause(({ operation, fault }) => outageReason(operation, fault)),
      remedy: ofEachCause(({ fault }) => faultRemedy(environment, fault)).replaceAll('.; ', '. '),
    },
    outage,
  };
}

const DRAINED: EndedPush<PushResult> = { result: { kind: 'drained' }, outage: null };

/** Gives the recheck policy at first and whenever a recheck is due again, else null. A rerun rechecks no learners. */
function rechecking({ clock, config, chosenBy = null }: PushContext): () => RecheckPolicy | null {
  let nextMs = chosenBy === null ? clock.monotonicMs() : Number.POSITIVE_INFINITY;
  return () => {
    if (clock.monotonicMs() < nextMs) return null;
    nextMs = clock.monotonicMs() + RECHECK_MS;
    return config.recheck;
  };
}

/**
 * Finds the row to send next. Where the platform isn't known to work and only rows that it may have written are left, a
 * push sends one of them at its beginning, unless that would be the row's last resend.
 */
async function findNext(
  { ledger, environment, config, runId, chosenBy = null }: PushContext,
  health: EnvironmentHealth,
  isFirst: boolean,
  recheck: RecheckPolicy | null,
): Promise<Due> {
  const due = await findDue(ledger, {
    environment,
    runId,
    chosenBy,
    recheck,
    omitted: health.refused(),
    isKnownToWork: health.breaker.blamesRow(),
  });
  if (!isFirst || due.kind !== 'later' || due.stopped === null) return due;
  return due.stopped.resends < config.resends ? { kind: 'ready', ...due.stopped } : due;
}

/**
 * Returns a function to be called with the number of rows that wait, whenever none can be sent now or at a known time. It
 * throws OperatorError once that number has stayed the same for so many calls that the push would never end.
 */
function progressOf({ ledger, environment }: PushContext): (waiting: number) => void {
  let before = -1;
  let rounds = 0;
  return (waiting) => {
    rounds = waiting === before ? rounds + 1 : 0;
    before = waiting;
    if (rounds < MAX_ROUNDS) return;
    const subject = ledgerName(ledger);
    const message = `${subject} is damaged: ${countOf(waiting, 'row waits', 'rows wait')} for ${environment} without a reason`;
    const hint =
      'Stop runs, check registrar doctor --deep, and restore a backup: registrar restore FILE --because TEXT. Nothing more is sent until then.';
    throw errorsOf('find what is due')(subject, message, hint, { exit: 'io' });
  };
}

/** Calls with the same number: another process may be about to write, which takes a second at most. */
const MAX_ROUNDS = 20;

/**
 * Gets what a delivery needs, in this order: a token, a permit, the claim with its attempt. Returns the delivery to begin,
 * `unclaimed` where the row can't be claimed after all, and null where token or permit can't be had.
 */
async function prepare(
  context: PushContext,
  health: EnvironmentHealth,
  lease: Lease,
  due: Due & { kind: 'ready' },
  stop: AbortSignal,
): Promise<(() => Promise<void>) | 'unclaimed' | null> {
  const granted = await context.tokens.get(callOf(due.operation).scope);
  if ('outcome' in granted) {
    const { outcome } = granted;
    health.met(outcome, due.operation, null);
    await watchQuota(context, outcome, null, 0);
    return null;
  }
  if (!health.gotToken(granted.token)) return null;
  const purpose = due.priority === 1 ? 'rerun' : 'push';
  const permit = await context.gate.acquire(purpose, context.config.deadlineMs, stop);
  if (!permit) return null;
  failpoint('permit-taken');
  // The answer to another row may have ended the use of the token while this row waited for its permit.
  if (!health.mayUse(granted.token)) {
    await permit.unused();
    return null;
  }
  const claimed = await claim(context.ledger, lease, due.submissionId, context.runId, context.chosenBy);
  if (!claimed) {
    await permit.unused();
    return 'unclaimed';
  }
  failpoint('attempt-written');
  return () => deliver(context, health, claimed, { lease, token: granted.token, permit });
}

/** Ends a push of which only rows are left that the platform may have written, and that wait longer than it may. */
function giveUpOnStopped(
  { clock }: PushContext,
  health: EnvironmentHealth,
  { atMs, stopped }: Due & { kind: 'later' },
): void {
  if (atMs === null || stopped === null || health.breaker.blamesRow()) return;
  const text = `rows that it may have written wait until ${isoFromMs(atMs)} before they are sent again`;
  health.waits(atMs - clock.nowMs(), { code: 'server-error', message: text });
}
