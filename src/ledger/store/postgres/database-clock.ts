import type { Clock } from '../../../domain/clock.js';

/** The clock of a database, as a process knows it. */
export interface DatabaseClock extends Clock {
  /** Takes in what the database's clock showed at some moment between two moments of the process's own monotonic clock. */
  noticed(databaseMs: number, sentMs: number, receivedMs: number): void;
}

/**
 * The clock by which all processes of a database go, whatever the clocks of their machines show. Each write transaction reads it
 * once the transaction's turn has come; from there on the process's monotonic clock carries it. It is never ahead of the
 * database's by more than the round trip of one reading: what is granted until a time ends at that time at the latest.
 */
export function databaseClock(local: Clock): DatabaseClock {
  let aheadMs = 0;
  const nowMs = () => Math.floor(local.monotonicMs() + aheadMs);
  return {
    nowMs,
    monotonicMs: nowMs,
    bootId: 'database',
    sleep: (ms, signal) => local.sleep(ms, signal),
    noticed(databaseMs, sentMs, receivedMs) {
      const [least, most] = [databaseMs - receivedMs, databaseMs - sentMs];
      // Within these two the earlier reading was the closer one; otherwise one of both clocks has been set.
      if (aheadMs < least || aheadMs > most) aheadMs = least;
    },
  };
}
