import { once } from '../../domain/process/once.js';

/** A time on this machine's clock on the wall, for people: `Sun 22 Nov 06:26 CET`. */
export function localTime(ms: number): string {
  return format().format(ms).replaceAll(',', '');
}

/** The first format that a process makes takes 14 ms, a tenth of a short command, and most show no time. */
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
