import { msFromIso } from '../../../domain/clock.js';
import { type Html, html } from '../../../report/page/html.js';
import { timeIn } from '../../../report/text/local-time.js';
import type { Visit } from '../../visits/visit.js';

type Reader = Pick<Visit, 'timeZone' | 'nowMs'>;

/** An ISO time by the reader's clock, with UTC as its title; UTC alone where the reader's zone is unknown. */
export function when(reader: Reader, iso: string): Html {
  const utc = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  const { timeZone } = reader;
  if (timeZone === null || timeZone === 'UTC') return html`<time datetime="${iso}">${utc}</time>`;
  return html`<time datetime="${iso}" title="${utc}">${timeIn(timeZone, iso)}</time>`;
}

/** A time that may be unknown: `never` where it is null. */
export function whenOr(reader: Reader, iso: string | null, otherwise: string): Html {
  return iso === null ? html`<span class="absent">${otherwise}</span>` : when(reader, iso);
}

/** How long ago, or in how long, in words: `3 minutes ago`, `in 2 hours`. */
export function sinceText({ nowMs }: Reader, iso: string): string {
  const ms = msFromIso(iso) - nowMs;
  const [size, unit] = UNITS.find(([least]) => Math.abs(ms) >= least) ?? [1_000, 'second'];
  return RELATIVE.format(Math.round(ms / size), unit);
}

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
