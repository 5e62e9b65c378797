import { type Html, html } from '../../../report/page/html.js';
import type { FormFields } from '../page.js';

/** The field for the reason of a decision, which is kept with it. @param before the text so far. */
export function reasonField(needsReason: boolean, before = '', id = 'because'): Html {
  const required = needsReason ? html` required` : '';
  return html`<p class="field"><label for="${id}">Why${needsReason ? '' : ' (optional)'}</label>
<input id="${id}" name="because" type="text"${required} maxlength="1000" autocomplete="off" value="${before}" aria-describedby="${id}-note">
<small id="${id}-note">Kept with the decision, with your name.</small></p>`;
}

export function reasonIn(fields: FormFields): string | null {
  const text = fields.one('because').trim().slice(0, 1000);
  return text === '' ? null : text;
}

/** A sentence above what it is about. */
export function notice(sentence: string | null, look: 'bad' | 'open' | 'good' = 'open'): Html {
  return sentence === null ? html`` : html`<p class="notice ${look}" role="alert">${sentence}</p>`;
}

/** Said where a plan is another one than its reader has seen. */
export const CHANGED_SINCE =
  'This has changed since you opened the page. Check it and decide again. Nothing was changed.';
