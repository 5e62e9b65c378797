import { type Clock, msFromIso } from '../../src/domain/clock.js';

/**
 * A clock whose time passes only while everybody sleeps: once nothing else is to be done, it jumps to the moment at
 * which the next sleeper wakes. Loops with time-outs, heartbeats and answers that take their time run as they would,
 * an hour in a blink.
 */
export function virtualClock(start = '2026-03-02T08:00:00.000Z'): Clock {
  const startMs = msFromIso(start);
  const sleepers = new Set<{ readonly atMs: number; wake(): void }>();
  let passedMs = 0;
  let isTicking = false;

  /** One sleeper at a time, after all that its predecessor set off has come to rest. */
  function tick(): void {
    isTicking = false;
    const [next] = [...sleepers].sort((a, b) => a.atMs - b.atMs);
    if (!next) return;
    passedMs = Math.max(passedMs, next.atMs);
    next.wake();
    keepTicking();
  }

  function keepTicking(): void {
    if (isTicking || sleepers.size === 0) return;
    isTicking = true;
    setImmediate(tick);
  }

  return {
    bootId: 'virtual-boot',
    nowMs: () => startMs + passedMs,
    monotonicMs: () => 1_000_000 + passedMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { atMs: passedMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
        keepTicking();
      }),
  };
}
