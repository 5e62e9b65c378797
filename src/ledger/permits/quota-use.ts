import { rowOf } from '../store/by-key.js';
import type { Ledger } from '../store/query.js';

/** The permits of a quota that are taken now, and until when. */
export type QuotaUse = Awaited<ReturnType<typeof quotaUse>>;

/** When each taken permit becomes free, ascending, and how long the client id is still paused, in milliseconds. */
export async function quotaUse(ledger: Ledger, client: string) {
  const now = ledger.clock.monotonicMs();
  const taken = await ledger.db
    .selectFrom('permit')
    .select('free_mono_ms')
    .where('client', '=', client)
    .where('boot', '=', ledger.clock.bootId)
    .where('free_mono_ms', '>', now)
    .orderBy('free_mono_ms')
    .execute();
  const state = await rowOf(ledger, 'quota_client', { client, boot: ledger.clock.bootId });
  return {
    freeAfterMs: taken.map(({ free_mono_ms }) => free_mono_ms - now),
    pausedForMs: Math.max(0, (state?.paused_until_mono_ms ?? 0) - now),
  };
}
