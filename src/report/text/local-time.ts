import { msFromIso } from '../../domain/clock.js';

const DAY = { weekday: 'short', day: '2-digit', month: 'short' } as const;
const TIME = { hour: '2-digit', minute: '2-digit' } as const;

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

/** Formats are made on first use: the first of a process takes 14 ms, a tenth of a short command. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: number | string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', options);
  formats.set(key, format);
  return format.format(typeof at === 'string' ? msFromIso(at) : at).replaceAll(',', '');
}
