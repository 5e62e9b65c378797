import { once } from '../../domain/process/once.js';

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
