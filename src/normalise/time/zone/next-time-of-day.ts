import { zoneResolver } from './zone-offsets.js';

const DAY_MS = 24 * 3_600_000;

/**
 * The next moment after `nowMs` at which clocks of the zone show this time of day, in milliseconds since 1970. On a day on which
 * they show it twice it is the first of the two; where they leave it out, it is the moment that would have had it if they had been
 * set forward already: a deadline is never later than somebody may mean.
 * @param time hours and minutes, `18:00`.
 * @param zone an IANA name that this Node knows.
 */
export function nextTimeOfDay(time: string, zone: string, nowMs: number): number {
  const resolve = zoneResolver(zone);
  if (resolve === null) throw new Error(`no zone ${zone}`);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + (hours * 60 + minutes) * 60_000;
  // The zone's day may be the one before or after that of UTC, and its time of today may be over.
  for (const days of [-1, 0, 1, 2]) {
    const found = resolve(today + days * DAY_MS);
    const atMs = found.kind === 'once' ? found.utcMs : found.earlierMs;
    if (atMs > nowMs) return atMs;
  }
  throw new Error(`no ${time} in ${zone} within two days`);
}
