import type { Clock } from '../../src/domain/clock.js';

/** A clock that is stopped until it is moved. Sleeping moves it, so code that waits runs at once. */
export interface ManualClock extends Clock {
  /** Moves wall-clock and monotonic time. */
  pass(ms: number): void;
  /** Sets the wall clock alone, as an administrator or NTP does. */
  setWall(ms: number): void;
}

export function manualClock(start = '2026-03-02T08:00:00.000Z', bootId = 'boot-1'): ManualClock {
  let wall = Date.parse(start);
  let monotonic = 1_000_000;
  return {
    bootId,
    nowMs: () => wall,
    monotonicMs: () => monotonic,
    pass(ms) {
      wall += ms;
      monotonic += ms;
    },
    setWall(ms) {
      wall = ms;
    },
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      wall += ms;
      monotonic += ms;
    },
  };
}
