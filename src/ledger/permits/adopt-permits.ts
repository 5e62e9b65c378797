import { sql } from 'kysely';
import { isSuccessor } from '../store/ledger-mark.js';
import type { Ledger } from '../store/query.js';

/**
 * The requests of the ledger before this one are unknown: a client id that is new to this ledger is paused for as long as one of
 * those requests may count.
 */
export async function adoptUnknown(ledger: Ledger, client: string, untilMs: number): Promise<void> {
  if (!(await isSuccessor(ledger))) return;
  await ledger.db
    .insertInto('quota_client')
    .values({
      client,
      boot: ledger.clock.bootId,
      next_start_mono_ms: untilMs,
      paused_until_mono_ms: untilMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Times of another boot can't be compared: its permits and pauses count in full from now on. */
export async function adoptForeignBoot(
  ledger: Ledger,
  client: string,
  now: number,
  fullMs: number,
): Promise<void> {
  const boot = ledger.clock.bootId;
  await ledger.db
    .updateTable('permit')
    .set({
      boot,
      taken_mono_ms: now,
      // As long as the permit was taken for: the process that took it may have had a longer deadline than this one.
      free_mono_ms: sql<number>`${now} + free_mono_ms - taken_mono_ms`,
    })
    .where('client', '=', client)
    .where('boot', '<>', boot)
    .execute();
  await ledger.db
    .updateTable('quota_client')
    .set({
      boot,
      next_start_mono_ms: now,
      paused_until_mono_ms: sql<number>`case when paused_until_mono_ms > 0 then ${now + fullMs} else 0 end`,
    })
    .where('client', '=', client)
    .where('boot', '<>', boot)
    .execute();
}
