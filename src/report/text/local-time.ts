import { msFromIso } from '../../domain/clock.js';

/** A zone's name where it isn't this machine's; null: it is. */
export function otherZone(timeZone: string): string | null {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone ? null : timeZone;
}

const DAY = { weekday: 'short', day: '2-digit', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

/**
 * A time by the clocks of a zone: `18:00` on the day of `nowMs` there, else `Tue 24 Nov 18:00`.
 * @param timeZone null: this machine's.
 */
export function timeSeenFrom(nowMs: number, ms: number, timeZone: string | null): string {
  const zone = timeZone === null ? {} : { timeZone };
  const day = (at: number) => formatted(at, { ...zone, ...DAY });
  const time = formatted(ms, { ...zone, ...TIME });
  // Within a week, or else the same words might mean the same day of another year.
  return day(nowMs) === day(ms) && ms - nowMs < WEEK_MS ? time : `${day(ms)} ${time}`;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** A time by this machine's clock and zone, for people: `Sun 22 Nov 06:26 CET`. */
export function localTime(at: number | string): string {
  return formatted(at, { ...DAY, ...TIME, timeZoneName: 'short' });
}

/** The day of a time by this machine's clock, for people: `Sun 20 December 2026`. */
export function dayText(iso: string): string {
  return formatted(iso, { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
}

/** The same with the time of day and its zone: `Sunday 22 November 2026 at 05:16 UTC`. */
export function momentText(iso: string): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return formatted(iso, { ...day, ...TIME, timeZoneName: 'short' });
}

/** Formats are made on first use: the first of a process takes 14 ms, a tenth of a short command. The zones of the world are some hundreds. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: number | string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(key, format);
  return format.format(typeof at === 'string' ? msFromIso(at) : at).replaceAll(',', '');
}
