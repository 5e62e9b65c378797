import { type Clock, msFromIso } from '../../src/domain/clock.js';
import { sleepIn, virtualTime } from './virtual-time.js';

/**
 * A clock of virtual time. Loops with time-outs, heartbeats and answers that take their time run as they would, an hour
 * in a blink.
 */
export function virtualClock(start = '2026-03-02T08:00:00.000Z'): Clock {
  const startMs = msFromIso(start);
  const time = virtualTime();
  return {
    bootId: 'virtual-boot',
    nowMs: () => startMs + time.passedMs(),
    monotonicMs: () => 1_000_000 + time.passedMs(),
    sleep: (ms, signal) => sleepIn(time, ms, signal),
  };
}
