import { sql } from 'kysely';
import type { Ledger } from '../store/query.js';

/** How much of a quota is used now. */
export interface QuotaUse {
  readonly permits: number;
  /** How long the client id is still paused; 0: it isn't paused. */
  readonly pausedForMs: number;
}

/** What is taken of a quota now, and until when. */
export interface QuotaTaken {
  /** For each permit that is taken, in how many milliseconds it becomes free; ascending. */
  readonly freeAfterMs: readonly number[];
  /** As in `QuotaUse`. */
  readonly pausedForMs: number;
}

/** Permits taken now, and how long the client id is paused. For people. */
export async function quotaInUse(ledger: Ledger, client: string): Promise<QuotaUse> {
  const { freeAfterMs, pausedForMs } = await quotaTaken(ledger, client);
  return { permits: freeAfterMs.length, pausedForMs };
}

/** The same with when each permit becomes free. For estimates. */
export async function quotaTaken(ledger: Ledger, client: string): Promise<QuotaTaken> {
  const now = ledger.clock.monotonicMs();
  const taken = await ledger.db
    .selectFrom('permit')
    .select('free_mono_ms')
    .where('client', '=', client)
    .where('boot', '=', ledger.clock.bootId)
    .where('free_mono_ms', '>', now)
    .orderBy('free_mono_ms')
    .execute();
  const state = await ledger.db
    .selectFrom('quota_client')
    .select('paused_until_mono_ms')
    .where('client', '=', client)
    .where('boot', '=', ledger.clock.bootId)
    .executeTakeFirst();
  return {
    freeAfterMs: taken.map(({ free_mono_ms }) => free_mono_ms - now),
    pausedForMs: Math.max(0, (state?.paused_until_mono_ms ?? 0) - now),
  };
}

/** Counts the permits of a client id: those that become free by themselves, and those kept until their host answers. */
export async function countTaken(ledger: Ledger, client: string, host: string, now: number) {
  const isLive = sql`free_mono_ms > ${now}`;
  const counted = (condition: ReturnType<typeof sql>) => sql<number>`count(*) filter (where ${condition})`;
  const taken = await ledger.db
    .selectFrom('permit')
    .select([
      counted(isLive).as('live'),
      counted(sql`${isLive} and asked = ${host}`).as('liveHere'),
      counted(sql`not ${isLive} and asked = ${host}`).as('keptHere'),
      counted(sql`not ${isLive} and asked <> ${host}`).as('keptElsewhere'),
      sql<number | null>`min(free_mono_ms) filter (where ${isLive})`.as('nextFreeMs'),
    ])
    .where('client', '=', client)
    .executeTakeFirst();
  return taken ?? { live: 0, liveHere: 0, keptHere: 0, keptElsewhere: 0, nextFreeMs: null };
}
