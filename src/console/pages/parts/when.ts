import { msFromIso } from '../../../domain/clock.js';
import { inWords } from '../../../domain/text/duration-words.js';
import { type Html, html } from '../../../report/page/html.js';

/** An ISO time to the minute, in UTC; the script shows how long ago that is, or the time by the reader's clock. */
export function when(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

/** A time that may be unknown: `never` where it is null. */
export function whenOr(iso: string | null, otherwise: string): Html {
  return iso === null ? html`<span class="absent">${otherwise}</span>` : when(iso);
}

export function elapsedText(startedAt: string, endedAt: string): string {
  return inWords(Math.max(0, msFromIso(endedAt) - msFromIso(startedAt)));
}
