import { syncBuiltinESMExports } from 'node:module';
import { install } from '@sinonjs/fake-timers';

/** A moment that isn't the beginning of a minute. */
const START_MS = Date.UTC(2026, 2, 2, 8, 0, 17);

/**
 * Runs work while `Date` and the timers of this process are virtual: once nothing else is pending, time jumps to the next timer. For code that has no other source of time, such as libraries.
 */
export async function inVirtualTime<T>(work: () => Promise<T>): Promise<T> {
  // Immediates stay real: after one, all work that a timer has started is done.
  const timers = install({
    now: START_MS,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  // Also for `import { setTimeout } from 'node:timers/promises'`, as the clock has it.
  syncBuiltinESMExports();
  try {
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isDone) return await working;
      if (timers.countTimers() === 0) throw new Error('the work waits, and no timer will ever wake it');
      timers.next();
    }
  } finally {
    timers.uninstall();
    syncBuiltinESMExports();
  }
}
