import { sql } from 'kysely';
import { isSuccessor } from '../store/ledger-mark.js';
import { change, type Ledger, query } from '../store/query.js';

/**
 * What the ledger before this one has sent nobody knows: a client id that this one has not met yet is paused for as long
 * as a request of that one may count.
 */
export async function adoptUnknown(ledger: Ledger, client: string, untilMs: number): Promise<void> {
  if (!(await isSuccessor(ledger))) return;
  await change(
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

/** Times of another boot mean nothing here: such permits and pauses count in full from now on. */
export async function adoptForeignBoot(
  ledger: Ledger,
  client: string,
  now: number,
  fullMs: number,
): Promise<void> {
  const boot = ledger.clock.bootId;
  await change(
    ledger,
    query
      .updateTable('permit')
      .set({
        boot,
        taken_mono_ms: now,
        // As long as it was taken for: the deadline of whoever took it may be longer than the one of whoever finds it.
        free_mono_ms: sql<number>`${now} + free_mono_ms - taken_mono_ms`,
      })
      .where('client', '=', client)
      .where('boot', '<>', boot),
  );
  await change(
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
