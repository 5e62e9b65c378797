import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { RequestPurpose } from '../domain/gate.js';
import { isSuccessor } from './ledger-mark.js';
import { change, first, type Ledger, query, writing } from './query.js';

/** What the platform allows one client id (specification §8). */
export interface QuotaRule {
  readonly requests: number;
  readonly perMs: number;
  /** Requests per period that only reruns and token calls may use. */
  readonly reserve: number;
  readonly pace: 'even' | 'burst';
}

/** A place in the quota (with it, `places` are taken), or how long until it is worth asking again. */
export type SlotOrWait = { readonly slotId: number; readonly places: number } | { readonly waitMs: number };

/** In place of the probe's slot: the pause that a 429 asked for ends with one request, which hasn't left yet. */
const PROBE_DUE = 0;

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
 * A platform that stands still reads what came meanwhile all at once: places without an answer are kept until one comes,
 * and for a period more. While they use up half of the quota or more, one request at a time goes beyond it to see whether
 * that host reads again; of other hosts they use up half of it at most.
 * After a 429 one request goes alone, and the others wait for what it meets.
 * @param asked what is asked: places are kept until that answers.
 */
export function takeSlot(
  ledger: Ledger,
  client: string,
  rule: QuotaRule,
  purpose: RequestPurpose,
  deadlineMs: number,
  asked = '',
): SlotOrWait {
  const host = purpose === 'token' ? `token ${asked}` : asked;
  return writing(ledger, () => {
    const now = ledger.clock.monotonicMs();
    adoptForeignBoot(ledger, client, now, deadlineMs + holdMs(rule));
    adoptUnknown(ledger, client, now + deadlineMs + holdMs(rule));
    const state = first(ledger, query.selectFrom('quota_client').selectAll().where('client', '=', client));
    const pausedForMs = (state?.paused_until_mono_ms ?? 0) - now;
    if (pausedForMs > 0) return { waitMs: pausedForMs };

    change(
      ledger,
      query
        .deleteFrom('quota_slot')
        .where('client', '=', client)
        .where('free_mono_ms', '<=', now)
        .where('answered', '=', 1),
    );
    const { live, liveHere, keptHere, keptElsewhere, nextFreeMs } = placesTaken(ledger, client, host, now);
    const probeMs = probeUnderWayMs(ledger, state?.probe_slot_id ?? null, now);
    if (probeMs > 0) return { waitMs: probeMs };
    const allowed = purpose === 'push' ? rule.requests - rule.reserve : rule.requests;
    const places = live + keptHere + Math.min(keptElsewhere, Math.floor(allowed / 2));
    if (places >= allowed) {
      const maySeeWhetherItReads = live < allowed && liveHere === 0 && keptHere * 2 >= allowed;
      if (!maySeeWhetherItReads) return { waitMs: Math.max(1, (nextFreeMs ?? now) - now) };
    }

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
        asked: host,
        taken_mono_ms: now,
        free_mono_ms: now + deadlineMs + holdMs(rule),
      }),
    );
    if (typeof state?.probe_slot_id === 'number') setProbe(ledger, client, slot.id);
    return { slotId: slot.id, places: live + keptHere + keptElsewhere + 1 };
  });
}

/**
 * The request leaves now: without an answer its place is taken until the deadline from here and a period.
 * @returns false when the place has been given away, because the process slept through its time.
 */
export function slotLeaves(ledger: Ledger, slotId: number, rule: QuotaRule, deadlineMs: number): boolean {
  const now = ledger.clock.monotonicMs();
  return freeAt(ledger, slotId, now + deadlineMs + holdMs(rule), 0, now);
}

/**
 * The answer came now: the place is free a period later, and so are those of earlier requests that were given up: the
 * platform may have read them only now. What waited for a probe may go.
 */
export function slotAnswered(ledger: Ledger, slotId: number, rule: QuotaRule): void {
  writing(ledger, () => {
    answerAt(ledger, slotId, ledger.clock.monotonicMs(), rule);
    change(
      ledger,
      query.updateTable('quota_client').set({ probe_slot_id: null }).where('probe_slot_id', '=', slotId),
    );
  });
}

/**
 * The platform said 429: no process sends for this client id until `forMs` from now, and then one goes first. Never
 * shortens a pause.
 */
export function slotThrottled(
  ledger: Ledger,
  client: string,
  slotId: number,
  rule: QuotaRule,
  forMs: number,
): void {
  writing(ledger, () => {
    const now = ledger.clock.monotonicMs();
    answerAt(ledger, slotId, now, rule);
    const until = now + forMs;
    change(
      ledger,
      query
        .updateTable('quota_client')
        .set({
          paused_until_mono_ms: sql<number>`max(paused_until_mono_ms, ${until})`,
          next_start_mono_ms: sql<number>`max(next_start_mono_ms, ${until})`,
          probe_slot_id: PROBE_DUE,
        })
        .where('client', '=', client)
        .where('boot', '=', ledger.clock.bootId),
    );
  });
}

/** No answer: the place stays taken as it is. When it was the probe, another goes. */
export function slotLost(ledger: Ledger, slotId: number): void {
  change(
    ledger,
    query.updateTable('quota_client').set({ probe_slot_id: PROBE_DUE }).where('probe_slot_id', '=', slotId),
  );
}

/** How many places of the client id were taken after this one. */
export function slotsSince(ledger: Ledger, client: string, slotId: number): number {
  const later = first(
    ledger,
    query
      .selectFrom('quota_slot')
      .select(sql<number>`count(*)`.as('places'))
      .where('client', '=', client)
      .where('quota_slot_id', '>', slotId),
  );
  return later?.places ?? 0;
}

/** No byte left: the place is free at once. */
export function slotUnused(ledger: Ledger, slotId: number): void {
  change(ledger, query.deleteFrom('quota_slot').where('quota_slot_id', '=', slotId));
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

/** Places of a client id: those that come free by themselves, and those kept until what was asked answers. */
function placesTaken(ledger: Ledger, client: string, host: string, now: number) {
  const isLive = sql`free_mono_ms > ${now}`;
  const counted = (condition: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${condition})`;
  const taken = first(
    ledger,
    query
      .selectFrom('quota_slot')
      .select([
        counted(isLive).as('live'),
        counted(sql`${isLive} and asked = ${host}`).as('liveHere'),
        counted(sql`not ${isLive} and asked = ${host}`).as('keptHere'),
        counted(sql`not ${isLive} and asked <> ${host}`).as('keptElsewhere'),
        sql<number | null>`min(free_mono_ms) filter (where ${isLive})`.as('nextFreeMs'),
      ])
      .where('client', '=', client),
  );
  return taken ?? { live: 0, liveHere: 0, keptHere: 0, keptElsewhere: 0, nextFreeMs: null };
}

/** How long to wait for the answer to a probe at most; 0 when none is under way. */
function probeUnderWayMs(ledger: Ledger, slotId: number | null, now: number): number {
  if (slotId === null || slotId === PROBE_DUE) return 0;
  const probe = first(
    ledger,
    query.selectFrom('quota_slot').select('free_mono_ms').where('quota_slot_id', '=', slotId),
  );
  return Math.max(0, (probe?.free_mono_ms ?? now) - now);
}

function setProbe(ledger: Ledger, client: string, slotId: number): void {
  change(
    ledger,
    query.updateTable('quota_client').set({ probe_slot_id: slotId }).where('client', '=', client),
  );
}

function answerAt(ledger: Ledger, slotId: number, now: number, rule: QuotaRule): void {
  const free = now + holdMs(rule);
  if (!freeAt(ledger, slotId, free, 1)) return;
  // Of requests whose deadline is to come the places are taken for longer than that.
  change(
    ledger,
    query
      .updateTable('quota_slot')
      .set({ taken_mono_ms: now, free_mono_ms: free, answered: 1 })
      .where('answered', '=', 0)
      .where('free_mono_ms', '<', free)
      .where(
        sql<boolean>`(client, asked, boot) = (select client, asked, boot from quota_slot where quota_slot_id = ${slotId})`,
      ),
  );
}

/** @returns false when the place is no longer there, or was free already at `now`. */
function freeAt(ledger: Ledger, slotId: number, atMs: number, answered: 0 | 1, now = 0): boolean {
  const moved = change(
    ledger,
    query
      .updateTable('quota_slot')
      .set({ free_mono_ms: atMs, answered })
      .where('quota_slot_id', '=', slotId)
      .where('free_mono_ms', '>', now)
      .where('boot', '=', ledger.clock.bootId),
  );
  return moved.changes === 1;
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

/**
 * What the ledger before this one has sent nobody knows: a client id that this one has not met yet is paused for as long
 * as a request of that one may count.
 */
function adoptUnknown(ledger: Ledger, client: string, untilMs: number): void {
  if (!isSuccessor(ledger)) return;
  change(
    ledger,
    query
      .insertInto('quota_client')
      .values({
        client,
        boot: ledger.clock.bootId,
        next_start_mono_ms: untilMs,
        paused_until_mono_ms: untilMs,
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Times of another boot mean nothing here: such places and pauses count in full from now on. */
function adoptForeignBoot(ledger: Ledger, client: string, now: number, fullMs: number): void {
  const boot = ledger.clock.bootId;
  change(
    ledger,
    query
      .updateTable('quota_slot')
      .set({
        boot,
        taken_mono_ms: now,
        // As long as it was taken for: the deadline of whoever took it may be longer than the one of whoever finds it.
        free_mono_ms: sql<number>`${now} + free_mono_ms - taken_mono_ms`,
      })
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
