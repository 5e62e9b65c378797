import { setMaxListeners } from 'node:events';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Clock } from '../../domain/clock.js';
import type { ConsoleContext } from '../work/console-context.js';

export type LedgerEvents = ReturnType<typeof ledgerEvents>;

/** Each is a connection that stays. */
const MAX_LISTENERS = 200;

const LOOK_MS = 2_000;

/** More often than an idle connection is ended. */
const SIGN_OF_LIFE_MS = 15_000;

/** Notifies open pages of changes of the ledger, which is looked at only while a page listens, once for all of them. @param stop ends all streams. */
export function ledgerEvents(context: ConsoleContext, clock: Clock, stop: AbortSignal) {
  // Each open page listens; Node would take more than ten for a leak, and print a warning.
  setMaxListeners(0, stop);
  let previous = '';
  let isLooking = false;
  const listeners = new Set<() => void>();
  const look = async () => {
    isLooking = true;
    while (listeners.size > 0 && !stop.aborted) {
      // The next page shows that the ledger can't be read now.
      const pulse = await context.query('pulse', {}).catch(() => previous);
      if (pulse !== previous && previous !== '') for (const notify of listeners) notify();
      previous = pulse;
      await clock.sleep(LOOK_MS, stop);
    }
    isLooking = false;
  };
  return {
    /**
     * An answer that goes on until the browser goes away, or its session ends; 503 where enough pages listen already.
     * @param isStill false once the user may listen no longer.
     */
    stream(c: Context, isStill: () => Promise<boolean>) {
      if (listeners.size >= MAX_LISTENERS)
        return c.text('Enough pages listen.\n', 503, { 'retry-after': '60' });
      return streamSSE(c, async (stream) => {
        let isChanged = false;
        let wake = () => {};
        const notify = () => {
          isChanged = true;
          wake();
        };
        listeners.add(notify);
        stop.addEventListener('abort', notify, { once: true });
        stream.onAbort(notify);
        if (!isLooking) void look();
        try {
          await stream.writeSSE({ event: 'listening', data: '' });
          while (!stream.aborted && !stream.closed && !stop.aborted) {
            if (!isChanged)
              await sleepOr(clock, SIGN_OF_LIFE_MS, (done) => {
                wake = done;
              });
            if (!(await isStill().catch(() => true))) {
              await stream.writeSSE({ event: 'ended', data: '' });
              break;
            }
            await stream.writeSSE(isChanged ? { event: 'changed', data: '' } : { event: 'alive', data: '' });
            isChanged = false;
          }
        } finally {
          listeners.delete(notify);
          stop.removeEventListener('abort', notify);
        }
      });
    },
  };
}

async function sleepOr(clock: Clock, ms: number, onWake: (wake: () => void) => void): Promise<void> {
  const over = new AbortController();
  onWake(() => over.abort());
  await clock.sleep(ms, over.signal);
}
