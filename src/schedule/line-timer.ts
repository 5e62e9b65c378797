import { schedule } from 'node-cron';
import { inOneLine } from '../config/values/cron.js';
import type { CronLine } from '../report/status/slots.js';

/** Returns a signal that is aborted the next time the line fires, or when the timer is stopped. */
export type NextFire = () => AbortSignal;

/** Has node-cron fire a line until `stop` is aborted. It keeps no process alive. */
export function lineTimer({ cron, timeZone }: CronLine, stop: AbortSignal): NextFire {
  let next = new AbortController();
  const fire = () => next.abort();
  const options = { suppressMissedWarning: true, unref: true, ...(timeZone && { timezone: timeZone }) };
  try {
    const task = schedule(inOneLine(cron), fire, options);
    stop.addEventListener('abort', () => void task.destroy(), { once: true });
  } catch {
    // It fires no line whose only times are left out when clocks go forward. The clock is looked at all the same.
  }
  stop.addEventListener('abort', fire, { once: true });
  return () => {
    if (next.signal.aborted && !stop.aborted) next = new AbortController();
    return next.signal;
  };
}
