import { failpoint } from '../domain/failpoint.js';
import { isAnotherPushing } from './leases.js';
import type { Ledger } from './query.js';

/** Rows that are moved in one transaction: it ends well within a second, and another process that writes gets its turn. */
export const PAGE_ROWS = 500;

/** SQLite's lock has no queue: a process that pushes asks again after 100 ms at last, and must find it free. */
const ROOM_MS = 110;

/**
 * Carries out one transaction after the other, and leaves room for other work between two: for a process that pushes, for
 * heartbeats, for answers. Stops between two once `stop` is aborted.
 * @returns false when it was stopped before the last one.
 */
export async function inPages(
  ledger: Ledger,
  transactions: Iterable<unknown>,
  stop?: AbortSignal,
): Promise<boolean> {
  for (const _ of transactions) {
    failpoint('page-committed');
    await leaveRoom(ledger);
    if (stop?.aborted) return false;
  }
  return true;
}

/** Lets other work through. */
async function leaveRoom(ledger: Ledger): Promise<void> {
  if (isAnotherPushing(ledger)) await ledger.clock.sleep(ROOM_MS);
  else await breathe();
}

/** Lets through what else this process has to do, such as heartbeats, between two long looks into the ledger. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** So many of them at a time. */
export function* pagesOf<T>(items: readonly T[], size: number = PAGE_ROWS): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
