import { failpoint } from '../../domain/process/failpoint.js';
import { isAnotherPushing } from '../leases/leases.js';
import type { Ledger } from './query.js';

/** Rows that are moved in one transaction: it ends well within a second, and another process that writes gets its turn. */
export const PAGE_ROWS = 500;

/**
 * How long the lock must be free for whoever waits for it to get it: it has no queue, SQLite gives it to whoever asks
 * first, and one who waits asks every 100 ms at last.
 */
export const ROOM_MS = 110;

/** Where nobody else pushes: the least that a timer takes, in which this process does what else is due. */
const BREATH_MS = 1;

/** Carries out one transaction after the other, and leaves room for other work after each. */
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
  // By the clock, so that simulated time doesn't go on meanwhile.
  await ledger.clock.sleep((await isAnotherPushing(ledger)) ? ROOM_MS : BREATH_MS);
}

/** Lets through what else this process has to do, such as heartbeats, between two long looks into the ledger. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** So many of them at a time. */
export function* pagesOf<T>(items: readonly T[], size: number = PAGE_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
