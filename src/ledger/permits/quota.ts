import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestPurpose } from '../../domain/environment/gate.js';
import { holdMs, paced, type QuotaRule } from '../../domain/environment/quota-rule.js';
import { putRow, rowOf, updateRows } from '../store/by-key.js';
import { greatest } from '../store/dialect.js';
import { isSuccessor } from '../store/ledger-mark.js';
import { change, count, type Ledger, query, writingIn } from '../store/query.js';

export interface HeldPermit {
  readonly permitId: number;
  readonly client: string;
  readonly rule: QuotaRule;
  /** How long the request may take to be sent, and then to be answered. */
  readonly deadlineMs: number;
  /** How many permits are taken, this one included. */
  readonly permitsTaken: number;
  /** By this time of the process's monotonic clock the first byte must leave; later, the permit may be taken again. */
  readonly leaveByMs: number;
}

export type PermitEnd =
  /** With a response other than 429, just now. */
  | { readonly kind: 'answered' }
  /** With a 429: no process sends for this client id for so long. */
  | { readonly kind: 'throttled'; readonly forMs: number }
  /** Without an answer; the request left at this time of the process's monotonic clock. */
  | { readonly kind: 'lost'; readonly leftMs: number }
  /** Before a byte of the request left. */
  | { readonly kind: 'unused' };

/** In the column of the probe's permit, while the probe is due: after the pause of a 429, one request goes first. */
const PROBE_DUE = 0;

/** The client id as the ledger stores it: a hash, which distinguishes ids but can't be used to sign in. */
export function clientRef(clientId: string): string {
  return hash('sha256', `client/${clientId}`, 'hex').slice(0, 16);
}

/**
 * Takes a permit for one request, shared by all processes. The request must be sent within its deadline, and answered
 * within the same time after that. The permit stays taken until one period after the answer; without an answer, until
 * both times and a period are over. So no window of the platform contains more than the quota, whatever the latency.
 * A platform that hung reads all its waiting requests at once. So permits without an answer are kept until an answer
 * comes, and for a period after it. While they use up half of the quota or more, one request at a time may exceed it,
 * to check whether that host answers again. Such permits of other hosts use up at most half of the quota.
 * After a 429, one request goes first, and the others wait for its answer.
 * @param recipient the host of the request: the permit is kept until that host answers.
 * @returns the permit, or how long to wait before requesting one again.
 */
export async function takePermit(
  ledger: Ledger,
  client: string,
  rule: QuotaRule,
  purpose: RequestPurpose,
  deadlineMs: number,
  recipient = '',
): Promise<HeldPermit | { readonly waitMs: number }> {
  const host = purpose === 'token' ? `token ${recipient}` : recipient;
  const fromMs = ledger.local.monotonicMs();
  return writingIn(ledger, `client:${client}`, async (ledger) => {
    const now = ledger.clock.monotonicMs();
    const unansweredMs = 2 * deadlineMs + holdMs(rule);
    const state = await quotaState(ledger, client, now, unansweredMs);
    const pausedForMs = (state?.paused_until_mono_ms ?? 0) - now;
    if (pausedForMs > 0) return { waitMs: pausedForMs };
    const { live, liveHere, keptHere, keptElsewhere, nextFreeMs } = await countUse(ledger, client, host, now);
    const probeMs = await probeUnderWayMs(ledger, state?.probe_permit_id ?? null, now);
    if (probeMs > 0) return { waitMs: probeMs };
    const allowed = purpose === 'push' ? rule.requests - rule.reserve : rule.requests;
    const permits = live + keptHere + Math.min(keptElsewhere, Math.floor(allowed / 2));
    if (permits >= allowed) {
      const mayProbe = live < allowed && liveHere === 0 && keptHere * 2 >= allowed;
      if (!mayProbe) return { waitMs: Math.max(1, (nextFreeMs ?? now) - now) };
    }

    const startAt = paced(state?.next_start_mono_ms ?? 0, now, rule);
    if (startAt > now) return { waitMs: startAt - now };
    await ledger.db
      .deleteFrom('permit')
      .where('client', '=', client)
      .where('free_mono_ms', '<=', now)
      .where('answered', '=', 1)
      .execute();
    const boot = ledger.clock.bootId;
    const times = { taken_mono_ms: now, free_mono_ms: now + unansweredMs };
    const { permitId } = await ledger.db
      .insertInto('permit')
      .values({ client, boot, purpose, recipient: host, ...times })
      .returning('permit_id as permitId')
      .executeTakeFirstOrThrow();
    const next_start_mono_ms = Math.floor(startAt + rule.perMs / rule.requests);
    const isProbe = typeof state?.probe_permit_id === 'number';
    const next = { next_start_mono_ms, ...(isProbe ? { probe_permit_id: permitId } : {}) };
    await putRow(ledger, 'quota_client', { client }, { boot, paused_until_mono_ms: 0, ...next }, next);
    return {
      permitId,
      client,
      rule,
      deadlineMs,
      permitsTaken: live + keptHere + keptElsewhere + 1,
      leaveByMs: fromMs + deadlineMs,
    };
  });
}

/** Counts the permits of a client id: those that become free at a time, and those kept until their host answers. */
async function countUse(ledger: Ledger, client: string, host: string, now: number) {
  const isLive = sql`free_mono_ms > ${now}`;
  const counted = (condition: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${condition})`;
  return ledger.db
    .selectFrom('permit')
    .select([
      counted(isLive).as('live'),
      counted(sql`${isLive} and recipient = ${host}`).as('liveHere'),
      counted(sql`not ${isLive} and answered = 0 and recipient = ${host}`).as('keptHere'),
      counted(sql`not ${isLive} and answered = 0 and recipient <> ${host}`).as('keptElsewhere'),
      sql<number | null>`min(free_mono_ms) filter (where ${isLive})`.as('nextFreeMs'),
    ])
    .where('client', '=', client)
    .executeTakeFirstOrThrow();
}

/**
 * The state of a client id; undefined: none yet. Times of another boot can't be compared: its permits and pauses count in full
 * from now on. In a ledger that replaced another one, a new client id is paused, because that ledger's requests may count.
 */
async function quotaState(ledger: Ledger, client: string, now: number, unansweredMs: number) {
  const state = await rowOf(ledger, 'quota_client', { client });
  const boot = ledger.clock.bootId;
  if (state?.boot === boot || (state === undefined && !(await isSuccessor(ledger)))) return state;
  // For its original duration: the process that took the permit may have had a longer deadline than this one.
  const free_mono_ms = sql<number>`${now} + free_mono_ms - taken_mono_ms`;
  const permits = query.updateTable('permit').set({ boot, taken_mono_ms: now, free_mono_ms });
  await change(ledger, permits.where('client', '=', client).where('boot', '<>', boot));
  const paused_until_mono_ms = state?.paused_until_mono_ms === 0 ? 0 : now + unansweredMs;
  const adopted = { boot, next_start_mono_ms: now, paused_until_mono_ms };
  await putRow(ledger, 'quota_client', { client }, adopted);
  return rowOf(ledger, 'quota_client', { client });
}

/**
 * Records how the request of a permit ended, which decides how long the permit stays taken. Answered: for a period from now, as
 * are the permits of earlier unanswered requests, which the platform may have read only now; requests that waited for a probe may
 * go. Throttled: the same, and after the pause one request goes first; a pause is never shortened. Lost: until the deadline and a
 * period have passed since the request was sent; if it was the probe, another one is due. Unused: the permit is free at once.
 * @returns the maximum number of this ledger's requests that the platform can have counted in one window with this one.
 */
export function endPermit(ledger: Ledger, permit: HeldPermit, end: PermitEnd): Promise<number> {
  return writingIn(ledger, `client:${permit.client}`, async (ledger) => {
    if (end.kind === 'unused') {
      await ledger.db.deleteFrom('permit').where('permit_id', '=', permit.permitId).execute();
    } else if (end.kind === 'lost') {
      await lost(ledger, permit, end.leftMs);
    } else {
      await answerAt(ledger, permit.permitId, ledger.clock.monotonicMs(), permit.rule);
      if (end.kind === 'throttled') await pause(ledger, permit.client, end.forMs);
      else await passProbe(ledger, permit.permitId, null);
    }
    const later = query
      .selectFrom('permit')
      .where('client', '=', permit.client)
      .where('permit_id', '>', permit.permitId);
    return permit.permitsTaken + (await count(ledger, later));
  });
}

async function lost(ledger: Ledger, { permitId, deadlineMs, rule }: HeldPermit, leftMs: number) {
  const sinceMs = ledger.local.monotonicMs() - leftMs;
  const freeMs = ledger.clock.monotonicMs() - sinceMs + deadlineMs + holdMs(rule);
  await ledger.db
    .updateTable('permit')
    .set({ free_mono_ms: freeMs })
    .where('permit_id', '=', permitId)
    .where('boot', '=', ledger.clock.bootId)
    .where('answered', '=', 0)
    .where('free_mono_ms', '>', freeMs)
    .execute();
  await passProbe(ledger, permitId, PROBE_DUE);
}

/** Ends the probe if this permit is the probe's. @param to PROBE_DUE: another probe is due. */
async function passProbe(ledger: Ledger, permitId: number, to: typeof PROBE_DUE | null): Promise<void> {
  await updateRows(ledger, 'quota_client', { probe_permit_id: permitId }, { probe_permit_id: to });
}

async function pause(ledger: Ledger, client: string, forMs: number): Promise<void> {
  const until = ledger.clock.monotonicMs() + forMs;
  const key = { client, boot: ledger.clock.bootId };
  await updateRows(ledger, 'quota_client', key, {
    paused_until_mono_ms: greatest(sql.ref('paused_until_mono_ms'), until),
    next_start_mono_ms: greatest(sql.ref('next_start_mono_ms'), until),
    probe_permit_id: PROBE_DUE,
  });
}

/** How long to wait for the answer to a probe at most; 0: none is waiting for one. */
async function probeUnderWayMs(ledger: Ledger, permitId: number | null, now: number): Promise<number> {
  // No permit has the number PROBE_DUE.
  const probe = await rowOf(ledger, 'permit', { permit_id: permitId ?? PROBE_DUE });
  return Math.max(0, (probe?.free_mono_ms ?? now) - now);
}

async function answerAt(ledger: Ledger, permitId: number, now: number, rule: QuotaRule): Promise<void> {
  const free = now + holdMs(rule);
  const own = { permit_id: permitId, boot: ledger.clock.bootId };
  if ((await updateRows(ledger, 'permit', own, { free_mono_ms: free, answered: 1 })) === 0) return;
  // Requests whose deadline hasn't passed have longer permits, and are excluded.
  const isToSameHost = sql<boolean>`(client, recipient, boot) = (select client, recipient, boot from permit
    where permit_id = ${permitId})`;
  await ledger.db
    .updateTable('permit')
    .set({ taken_mono_ms: now, free_mono_ms: free, answered: 1 })
    .where('answered', '=', 0)
    .where('free_mono_ms', '<', free)
    .where(isToSameHost)
    .execute();
}

/** How many permits are taken, and how long the client id is still paused, in milliseconds. */
export async function quotaUse(ledger: Ledger, client: string) {
  const now = ledger.clock.monotonicMs();
  const { bootId: boot } = ledger.clock;
  const held = query
    .selectFrom('permit')
    .where('client', '=', client)
    .where('boot', '=', boot)
    .where('free_mono_ms', '>', now);
  const state = await rowOf(ledger, 'quota_client', { client, boot });
  return {
    permits: await count(ledger, held),
    pausedForMs: Math.max(0, (state?.paused_until_mono_ms ?? 0) - now),
  };
}
