import { msFromIso } from '../../domain/clock.js';
import { once } from '../../domain/process/once.js';

/** The day of an ISO time by this machine's clock, for people: `Sun 20 December 2026`. */
export function dayText(iso: string): string {
  return day().format(msFromIso(iso)).replaceAll(',', '');
}

/** An ISO time by this machine's clock, with the time of day and its zone: `Sunday 22 November 2026 at 05:16 UTC`. */
export function momentText(iso: string): string {
  return moment()
    .format(msFromIso(iso))
    .replace(/,(?=[^,]*$)/, '')
    .replaceAll(',', '');
}

const day = once(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
);

const moment = once(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }),
);
