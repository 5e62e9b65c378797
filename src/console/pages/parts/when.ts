import { msFromIso } from '../../../domain/clock.js';
import { inWords, TIME_UNITS } from '../../../domain/text/duration-words.js';
import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../work/visit.js';

/** An ISO time to the minute, in UTC; the script shows how long ago that is, or the time by the reader's clock. */
export function when(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

/** A time that may be unknown: `never` where it is null. */
export function whenOr(iso: string | null, otherwise: string): Html {
  return iso === null ? html`<span class="absent">${otherwise}</span>` : when(iso);
}

export function lengthText(startedAt: string, endedAt: string): string {
  return inWords(Math.max(0, msFromIso(endedAt) - msFromIso(startedAt)));
}

/** How long ago, or in how long, in words: `3 minutes ago`, `in 2 hours`. */
export function sinceText({ nowMs }: Pick<Visit, 'nowMs'>, iso: string): string {
  const ms = msFromIso(iso) - nowMs;
  const [size, unit] = TIME_UNITS.find(([least]) => Math.abs(ms) >= least) ?? [1_000, 'second'];
  return RELATIVE.format(Math.round(ms / size), unit);
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
