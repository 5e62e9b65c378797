import { failpoint } from '../../domain/process/failpoint.js';
import type { Ledger } from '../store/query.js';
import { isAnotherPushing } from './leases.js';

/**
 * How long the lock must be free so that a waiting process gets it: SQLite has no queue and gives it to whoever asks first, and a
 * waiting process asks every 10 ms.
 */
export const ROOM_MS = 30;

/** Where no other process pushes: the shortest timer, during which this process does its other work. */
const BREATH_MS = 1;

/** Runs one transaction after the other, and lets other work through after each. */
export async function* paged<Page>(
  ledger: Ledger,
  transactions: AsyncIterable<Page>,
): AsyncGenerator<Page, void, undefined> {
  for await (const page of transactions) {
    await leaveRoom(ledger);
    yield page;
  }
}

/**
 * Lets other work through, after one transaction of several: a process that pushes, heartbeats, answers.
 */
export async function leaveRoom(ledger: Ledger): Promise<void> {
  failpoint('page-committed');
  // Sleeps by the clock, so that simulated time doesn't go on meanwhile.
  await ledger.clock.sleep((await isAnotherPushing(ledger)) ? ROOM_MS : BREATH_MS);
}
