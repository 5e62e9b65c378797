import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestPurpose } from '../domain/gate.js';
import { change, first, type Ledger, query, writing } from './query.js';

/** What the platform allows one client id (specification §8). */
export interface QuotaRule {
  readonly requests: number;
  readonly perMs: number;
  /** Requests per period that only reruns and token calls may use. */
  readonly reserve: number;
  readonly pace: 'even' | 'burst';
}

/** A place in the quota, or how long until it is worth asking again. */
export type SlotOrWait = { readonly slotId: number } | { readonly waitMs: number };

/** The client id as the ledger keeps it: enough to tell ids apart, nothing to log in with. */
export function clientRef(clientId: string): string {
  return hash('sha256', `client/${clientId}`, 'hex').slice(0, 16);
}

/**
 * How much longer than the period a place stays taken: the platform's clock may run slower than this machine's,
 * by a quarter of a percent (150 ms in a minute), which is fifty times what quartz clocks do.
 */
export function holdMs(rule: QuotaRule): number {
  return rule.perMs + Math.ceil(rule.perMs / 400);
}

/**
 * Takes a place in the quota for one request, in one transaction over all processes. A place stays taken from here
 * until a period after its answer, or until the deadline and a period when no answer comes: whatever the latency,
 * no two requests of one place can arrive within a period, so no window of the platform sees more than the quota.
 */
export function takeSlot(
  ledger: Ledger,
  client: string,
  rule: QuotaRule,
  purpose: RequestPurpose,
  deadlineMs: number,
): SlotOrWait {
  return writing(ledger, () => {
    const now = ledger.clock.monotonicMs();
    adoptForeignBoot(ledger, client, now, deadlineMs + holdMs(rule));
    const state = first(ledger, query.selectFrom('quota_client').selectAll().where('client', '=', client));
    const pausedForMs = (state?.paused_until_mono_ms ?? 0) - now;
    if (pausedForMs > 0) return { waitMs: pausedForMs };

    change(
      ledger,
      query.deleteFrom('quota_slot').where('client', '=', client).where('free_mono_ms', '<=', now),
    );
    const taken = first(
      ledger,
      query
        .selectFrom('quota_slot')
        .select([sql<number>`count(*)`.as('places'), sql<number | null>`min(free_mono_ms)`.as('next_free')])
        .where('client', '=', client),
    );
    const allowed = purpose === 'push' ? rule.requests - rule.reserve : rule.requests;
    if (taken && taken.places >= allowed) return { waitMs: Math.max(1, (taken.next_free ?? now) - now) };

    const startAt = paced(state?.next_start_mono_ms ?? 0, now, rule);
    if (startAt > now) return { waitMs: startAt - now };
    const nextStart = Math.floor(startAt + rule.perMs / rule.requests);
    change(
      ledger,
      query
        .insertInto('quota_client')
        .values({ client, boot: ledger.clock.bootId, next_start_mono_ms: nextStart, paused_until_mono_ms: 0 })
        .onConflict((conflict) => conflict.column('client').doUpdateSet({ next_start_mono_ms: nextStart })),
    );
    const slot = change(
      ledger,
      query.insertInto('quota_slot').values({
        client,
        boot: ledger.clock.bootId,
        purpose,
        taken_mono_ms: now,
        free_mono_ms: now + deadlineMs + holdMs(rule),
      }),
    );
    return { slotId: slot.id };
  });
}

/** The answer came now: the place is free a period later. */
export function slotAnswered(ledger: Ledger, slotId: number, rule: QuotaRule): void {
  change(
    ledger,
    query
      .updateTable('quota_slot')
      .set({ free_mono_ms: ledger.clock.monotonicMs() + holdMs(rule) })
      .where('quota_slot_id', '=', slotId)
      .where('boot', '=', ledger.clock.bootId),
  );
}

/** No byte left: the place is free at once. */
export function slotUnused(ledger: Ledger, slotId: number): void {
  change(ledger, query.deleteFrom('quota_slot').where('quota_slot_id', '=', slotId));
}

/** The platform said 429: no process sends for this client id until `forMs` from now. Never shortens a pause. */
export function pauseClient(ledger: Ledger, client: string, forMs: number): void {
  const until = ledger.clock.monotonicMs() + forMs;
  change(
    ledger,
    query
      .insertInto('quota_client')
      .values({ client, boot: ledger.clock.bootId, next_start_mono_ms: until, paused_until_mono_ms: until })
      .onConflict((conflict) =>
        conflict.column('client').doUpdateSet({
          paused_until_mono_ms: sql<number>`max(paused_until_mono_ms, ${until})`,
          next_start_mono_ms: sql<number>`max(next_start_mono_ms, ${until})`,
        }),
      ),
  );
}

/** Places taken now, and how long the client id is paused (0: it isn't). For people. */
export function quotaInUse(ledger: Ledger, client: string): { places: number; pausedForMs: number } {
  const now = ledger.clock.monotonicMs();
  const taken = first(
    ledger,
    query
      .selectFrom('quota_slot')
      .select(sql<number>`count(*)`.as('places'))
      .where('client', '=', client)
      .where('boot', '=', ledger.clock.bootId)
      .where('free_mono_ms', '>', now),
  );
  const state = first(
    ledger,
    query
      .selectFrom('quota_client')
      .select('paused_until_mono_ms')
      .where('client', '=', client)
      .where('boot', '=', ledger.clock.bootId),
  );
  return { places: taken?.places ?? 0, pausedForMs: Math.max(0, (state?.paused_until_mono_ms ?? 0) - now) };
}

/** Longest lag that an even pace makes up for at least: what a commit of another process may take. */
const LEAST_CATCH_UP_MS = 1_000;

/**
 * An even pace may fall behind (a busy machine, another process's commit) and catches up a tenth of a period, so that
 * a stall costs no throughput; after a longer time without requests it begins anew, so that none ends in a burst.
 */
function paced(nextStart: number, now: number, rule: QuotaRule): number {
  if (rule.pace === 'burst') return now;
  const lagMs = now - nextStart;
  return lagMs > Math.max(rule.perMs / 10, LEAST_CATCH_UP_MS) ? now : nextStart;
}

/** Times of another boot mean nothing here: such places and pauses count in full from now on. */
function adoptForeignBoot(ledger: Ledger, client: string, now: number, fullMs: number): void {
  const boot = ledger.clock.bootId;
  change(
    ledger,
    query
      .updateTable('quota_slot')
      .set({ boot, taken_mono_ms: now, free_mono_ms: now + fullMs })
      .where('client', '=', client)
      .where('boot', '<>', boot),
  );
  change(
    ledger,
    query
      .updateTable('quota_client')
      .set({
        boot,
        next_start_mono_ms: now,
        paused_until_mono_ms: sql<number>`iif(paused_until_mono_ms > 0, ${now + fullMs}, 0)`,
      })
      .where('client', '=', client)
      .where('boot', '<>', boot),
  );
}
