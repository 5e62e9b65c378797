import type { Clock } from '../../../domain/clock.js';

export interface DatabaseClock extends Clock {
  /** The database's clock showed `databaseMs` between two moments of the process's monotonic clock. */
  noticed(databaseMs: number, sentMs: number, receivedMs: number): void;
}

/**
 * The clock that all processes of a database share, whatever their machines' clocks show. Each write transaction reads it once it
 * has its lock; between the readings, the process's monotonic clock advances it. It is never ahead of the database's clock by
 * more than the round trip of one reading, so that no process uses a lease or permit beyond its end.
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
      // Between these two, the earlier reading was more precise; otherwise one of the two clocks was set.
      if (aheadMs < least || aheadMs > most) aheadMs = least;
    },
  };
}
