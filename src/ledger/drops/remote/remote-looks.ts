import { isoFromMs } from '../../../domain/clock.js';
import { type Ledger, reading, writing } from '../../store/query.js';

/** How a look at a remote inbox ended. */
export type RemoteLook =
  | {
      readonly isAway: false;
      /** Files that it left there. */
      readonly waiting: number;
      /** When the oldest of them was written, by the clock of the server, ISO; null: none waits. */
      readonly oldestAt: string | null;
    }
  | {
      readonly isAway: true;
      /** Why the place can't be used, as a sentence without its end. */
      readonly message: string;
      readonly remedy: string;
    };

/** What is known of a source's remote inbox. */
export type RemoteInbox = Awaited<ReturnType<typeof remoteInboxes>>[number];

/** Records a look at a source's remote inbox. An outage lasts from the first look that failed to the next that succeeds. */
export async function recordLook(ledger: Ledger, source: string, look: RemoteLook): Promise<void> {
  await writing(ledger, async (ledger) => {
    const now = isoFromMs(ledger.clock.nowMs());
    const before = await ledger.db
      .selectFrom('remote_inbox')
      .select('away_since as awaySince')
      .where('source', '=', source)
      .executeTakeFirst();
    const values = look.isAway
      ? { away_since: before?.awaySince ?? now, message: look.message, remedy: look.remedy }
      : { away_since: null, message: null, remedy: null, waiting: look.waiting, oldest_at: look.oldestAt };
    await ledger.db
      .insertInto('remote_inbox')
      .values({ source, waiting: 0, oldest_at: null, ...values, looked_at: now })
      .onConflict((conflict) => conflict.column('source').doUpdateSet({ ...values, looked_at: now }))
      .execute();
  });
}

/** Reads what is known of all remote inboxes, by source. Times are ISO. */
export async function remoteInboxes(ledger: Ledger) {
  return reading(ledger, async (ledger) => {
    const inboxes = await ledger.db
      .selectFrom('remote_inbox as i')
      .leftJoin('remote_file as f', 'f.source', 'i.source')
      .selectAll('i')
      .select(({ fn }) => fn.max('f.fetched_at').as('fetchedAt'))
      .groupBy('i.source')
      .orderBy('i.source')
      .execute();
    return inboxes.map((inbox) => ({
      source: inbox.source,
      /** Of the latest look, which may have failed. */
      lookedAt: inbox.looked_at,
      /** Files that the latest look that succeeded left there, and when the oldest of them was written. */
      waiting: inbox.waiting,
      oldestAt: inbox.oldest_at,
      /** When a file was last fetched; null: none ever was. */
      fetchedAt: inbox.fetchedAt as string | null,
      /** Since when it can't be used, and why; null: it can. */
      away:
        inbox.away_since === null
          ? null
          : { since: inbox.away_since, message: inbox.message ?? '', remedy: inbox.remedy ?? '' },
    }));
  });
}
