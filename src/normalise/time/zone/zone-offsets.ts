import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from '../../../config/values/time-zone.js';

/**
 * The moment that a local time names. `twice`: clocks were set back and it happened at both moments; `never`: clocks were set
 * forward over it, and the moments are the ones by the offsets after and before the change.
 */
export type LocalTime =
  | { readonly kind: 'once'; readonly utcMs: number }
  | { readonly kind: 'twice' | 'never'; readonly earlierMs: number; readonly laterMs: number };

/** Turns local times of one zone into moments. `localMs` is the wall clock read as if it were UTC. */
export type LocalTimeResolver = (localMs: number) => LocalTime;

/**
 * The resolver of a zone, an IANA name or an offset such as "+02:00"; null for a zone that this Node doesn't know. Agrees with Temporal's
 * `disambiguation: 'reject'`, which is called once for each stretch of constant offset: ten times as fast as for every row.
 */
export function zoneResolver(zone: string): LocalTimeResolver | null {
  const key = zone.toLowerCase();
  const cached = RESOLVERS.get(key);
  if (cached) return cached;
  if (!/^[+-]\d\d:\d\d$/.test(zone) && !isTimeZone(zone)) return null;
  const resolver = createResolver(zone);
  RESOLVERS.set(key, resolver);
  return resolver;
}

/** Grows to the number of zones at most, some hundred. */
const RESOLVERS = new Map<string, LocalTimeResolver>();

/** No zone is further from UTC: all moments that a local time can mean lie within. */
export const DAY_MS = 24 * 3_600_000;

/** A stretch of time with one offset: from `fromMs` to before `toMs`, infinite where the clocks were or are never changed. */
export interface OffsetPeriod {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** Finds the stretch of a moment in a zone that this Node knows. */
export function offsetPeriodsOf(zone: string): (utcMs: number) => OffsetPeriod {
  const periods: OffsetPeriod[] = [];
  return (utcMs) => {
    const cached = periods.find((period) => utcMs >= period.fromMs && utcMs < period.toMs);
    if (cached) return cached;
    const period = askTemporal(zone, utcMs);
    periods.push(period);
    return period;
  };
}

function createResolver(zone: string): LocalTimeResolver {
  const periodAt = offsetPeriodsOf(zone);
  return (localMs) => {
    const before = periodAt(localMs - DAY_MS);
    const after = periodAt(localMs + DAY_MS);
    if (before === after) return { kind: 'once', utcMs: localMs - before.offsetMs };
    const earlierMs = localMs - Math.max(before.offsetMs, after.offsetMs);
    const laterMs = localMs - Math.min(before.offsetMs, after.offsetMs);
    const moments = [before, after].flatMap(({ fromMs, toMs, offsetMs }) => {
      const utcMs = localMs - offsetMs;
      return utcMs >= fromMs && utcMs < toMs ? [utcMs] : [];
    });
    const [utcMs] = moments;
    if (utcMs !== undefined && moments.length === 1) return { kind: 'once', utcMs };
    return { kind: utcMs === undefined ? 'never' : 'twice', earlierMs, laterMs };
  };
}

function askTemporal(zone: string, utcMs: number): OffsetPeriod {
  const at = Temporal.Instant.fromEpochMilliseconds(utcMs).toZonedDateTimeISO(zone);
  // "previous" means strictly before: a nanosecond later, a change at this very moment is found too.
  const from = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const to = at.getTimeZoneTransition('next');
  return {
    fromMs: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    toMs: to?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
}

/** The moment at which clocks show a time of day, with the day on which they do. */
interface TimeOfDay {
  readonly atMs: number;
  /** 0 is Monday. */
  readonly weekday: number;
}

/**
 * The moments of a span, both ends included, at which clocks of the zone show this time of day, `18:00`: the first of two; where they
 * leave it out, the moment that would have had it if they had been set forward already.
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
