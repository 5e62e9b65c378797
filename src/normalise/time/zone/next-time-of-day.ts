import { DAY_MS, resolverOf, timeOn } from './times-of-day.js';

/**
 * The next moment after `nowMs` at which clocks of the zone show this time of day, in milliseconds since 1970. On a day on which
 * they show it twice it is the first of the two; where they leave it out, it is the moment that would have had it if they had been
 * set forward already: a deadline is never later than somebody may mean.
 * @param time hours and minutes, `18:00`.
 * @param zone an IANA name that this Node knows.
 */
export function nextTimeOfDay(time: string, zone: string, nowMs: number): number {
  const resolve = resolverOf(zone);
  const today = Math.floor(nowMs / DAY_MS);
  // The zone's day may be the one before or after that of UTC, and its time of today may be over.
  for (const days of [-1, 0, 1, 2]) {
    const atMs = timeOn(today + days, time, resolve);
    if (atMs > nowMs) return atMs;
  }
  throw new Error(`no ${time} in ${zone} within two days`);
}
