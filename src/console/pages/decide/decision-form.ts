import { type Html, html } from '../../../report/page/html.js';
import { hrefOf } from '../../visits/address.js';
import type { Visit } from '../../visits/visit.js';
import type { FormAnswer, FormFields } from '../form.js';
import { formToken, hiddenFields } from '../parts/form-parts.js';

/** How a plan asks for its decision. */
export interface DecisionAsked {
  /** What stands on the button. */
  readonly button: string;
  /** True where nothing is decided without a reason. */
  readonly needsReason: boolean;
  /** What the person sees of the plan in figures: if these are others by then, the plan is shown anew. */
  readonly seen: string;
  /** The reason that was written already. */
  readonly because?: string;
}

/** The form under a plan. What it is about lies in the address of its page, which it is sent to. */
export function decisionForm(visit: Visit, { button, needsReason, seen, because = '' }: DecisionAsked): Html {
  return html`<form method="post" action="${hrefOf(visit.address)}">${formToken(visit)}${hiddenFields({ seen })}
${reasonField(needsReason, because)}
<p class="buttons"><button>${button}</button> <a href="/attention">Cancel</a></p></form>`;
}

/** Asks why something is decided; the answer is kept with the decision. @param before what was written already. */
export function reasonField(needsReason: boolean, before = '', id = 'because'): Html {
  const required = needsReason ? html` required` : '';
  return html`<p class="field"><label for="${id}">Why${needsReason ? '' : ' (optional)'}</label>
<input id="${id}" name="because" type="text"${required} maxlength="1000" autocomplete="off" value="${before}" aria-describedby="${id}-note">
<small id="${id}-note">Kept with the decision, with your name.</small></p>`;
}

/** Why the plan has to be looked at before it is carried out; null: nothing is in the way. */
export function whyNotYet(fields: FormFields, { seen, needsReason }: DecisionAsked): string | null {
  if (needsReason && reasonIn(fields) === null)
    return 'Give a reason: it is kept with the decision. Nothing was changed.';
  if (fields.one('seen') !== seen)
    return 'This has changed since you opened the page. Check it and decide again. Nothing was changed.';
  return null;
}

/** The reason that was given; null: none. */
export function reasonIn(fields: FormFields): string | null {
  const text = fields.one('because').trim().slice(0, 1000);
  return text === '' ? null : text;
}

/** A sentence above what it is about. */
export function told(sentence: string | null, look: 'bad' | 'open' | 'good' = 'open'): Html {
  return sentence === null ? html`` : html`<p class="told ${look}" role="alert">${sentence}</p>`;
}

/** Where to see what a decision has done. */
export function toDecision(decisionId: number): FormAnswer {
  return { to: `/decisions/${decisionId}` };
}
