import { msFromIso } from '../../domain/clock.js';
import { once } from '../../domain/process/once.js';

/** The day of a ledger's time on this machine's clock, for people: `Sun 20 December 2026`. */
export function dayText(iso: string): string {
  return day().format(msFromIso(iso)).replaceAll(',', '');
}

/** A ledger's time likewise, with the time of day and its zone: `Sunday 22 November 2026 at 05:16 UTC`. */
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
