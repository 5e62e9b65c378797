import { type LocalTimeResolver, zoneResolver } from './zone-offsets.js';

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
  const resolve = resolverOf(zone);
  const found: TimeOfDay[] = [];
  // The zone's day may be the one before or after that of UTC.
  for (let day = Math.floor(fromMs / DAY_MS) - 1; day * DAY_MS <= toMs + DAY_MS; day += 1) {
    const atMs = timeOn(day, time, resolve);
    // The first of January 1970 was a Thursday.
    if (atMs >= fromMs && atMs <= toMs) found.push({ atMs, weekday: (day + 3) % 7 });
  }
  return found;
}

/** The moment of a time of day on a day, counted from the first of January 1970. */
function timeOn(day: number, time: string, resolve: LocalTimeResolver): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const found = resolve(day * DAY_MS + (hours * 60 + minutes) * 60_000);
  return found.kind === 'once' ? found.utcMs : found.earlierMs;
}

/** The resolver of a zone that registrar.yaml names; the schema has refused what Node doesn't know. */
function resolverOf(zone: string): LocalTimeResolver {
  const resolve = zoneResolver(zone);
  if (resolve === null) throw new Error(`no zone ${zone}`);
  return resolve;
}

/**
 * The next moment after `nowMs` at which clocks of the zone show this time of day, in milliseconds since 1970. On a day on which
 * they show it twice it is the first of the two; where they leave it out, it is the moment that would have had it if they had been
 * set forward already: a deadline is never later than intended.
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
