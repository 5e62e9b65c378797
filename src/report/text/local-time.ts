import { once } from '../../domain/process/once.js';

/** A zone's name where it isn't this machine's; null: it is. */
export function otherZone(timeZone: string): string | null {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone ? null : timeZone;
}

/**
 * A time by the clocks of a zone: `18:00` on the day on which `nowMs` lies there, else `Tue 24 Nov 18:00`.
 * @param timeZone null: this machine's.
 */
export function timeSeenFrom(nowMs: number, ms: number, timeZone: string | null): string {
  const zone = timeZone === null ? {} : { timeZone };
  const day = new Intl.DateTimeFormat('en-GB', { ...zone, weekday: 'short', day: '2-digit', month: 'short' });
  const time = new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit' }).format(ms);
  // Within a week, or so the same words might stand for the same day of another year.
  const isToday = day.format(nowMs) === day.format(ms) && ms - nowMs < WEEK_MS;
  return isToday ? time : `${day.format(ms).replaceAll(',', '')} ${time}`;
}

const WEEK_MS = 7 * 24 * 3_600_000;

/** A time by this machine's clock and zone, for people: `Sun 22 Nov 06:26 CET`. */
export function localTime(ms: number): string {
  return format().format(ms).replaceAll(',', '');
}

/**
 * Made on first use: the first format of a process takes 14 ms, a tenth of a short command, and most commands show no time.
 */
const format = once(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: '2-digit',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
);
