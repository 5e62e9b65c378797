import { zoneResolver } from './zone-offsets.js';

export const DAY_MS = 24 * 3_600_000;

/** The moment at which clocks show a time of day, with the day on which they do. */
export interface TimeOfDay {
  readonly atMs: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

/**
 * The moments of a span, both ends included, at which clocks of the zone show this time of day, in their order. On a day on which
 * they show it twice it is the first of the two; where they leave it out, it is the moment that would have had it if they had been
 * set forward already.
 * @param time hours and minutes, `18:00`.
 * @param zone an IANA name that this Node knows.
 */
export function timesOfDay(time: string, zone: string, fromMs: number, toMs: number): TimeOfDay[] {
  const resolve = zoneResolver(zone);
  // The schema has refused what Node doesn't know.
  if (resolve === null) throw new Error(`no zone ${zone}`);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const moments: TimeOfDay[] = [];
  // The zone's day may be the one before or after that of UTC.
  for (let day = Math.floor(fromMs / DAY_MS) - 1; day * DAY_MS <= toMs + DAY_MS; day += 1) {
    const local = resolve(day * DAY_MS + (hours * 60 + minutes) * 60_000);
    const atMs = local.kind === 'once' ? local.utcMs : local.earlierMs;
    // The first of January 1970 was a Thursday.
    if (atMs >= fromMs && atMs <= toMs) moments.push({ atMs, weekday: (day + 3) % 7 });
  }
  return moments;
}

/** The next of the moments of `timesOfDay` after `nowMs`, in milliseconds since 1970: a deadline is never later than intended. */
export function nextTimeOfDay(time: string, zone: string, nowMs: number): number {
  const next = timesOfDay(time, zone, nowMs, nowMs + 2 * DAY_MS).find(({ atMs }) => atMs > nowMs);
  if (next === undefined) throw new Error(`no ${time} in ${zone} within two days`);
  return next.atMs;
}
