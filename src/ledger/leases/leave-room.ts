import { failpoint } from '../../domain/process/failpoint.js';
import type { Ledger } from '../store/query.js';
import { isOtherPushRunning } from './leases.js';

/** How long to leave the lock free: SQLite has no queue, and a waiting process tries every 10 ms. */
export const ROOM_MS = 30;

/** Where no other process pushes: the shortest timer, during which this process does its other work. */
const BREATH_MS = 1;

/** Runs one transaction after another, and yields to other work after each. */
export async function* paged<Page>(ledger: Ledger, transactions: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of transactions) {
    await leaveRoom(ledger);
    yield page;
  }
}

/** Yields, between two transactions, to another process's push and to this one's heartbeats and answers. */
export async function leaveRoom(ledger: Ledger): Promise<void> {
  failpoint('page-committed');
  // By the ledger's clock, so that simulated time doesn't advance meanwhile.
  await ledger.clock.sleep((await isOtherPushRunning(ledger)) ? ROOM_MS : BREATH_MS);
}
