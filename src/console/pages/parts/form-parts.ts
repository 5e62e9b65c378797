import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';

/** The hidden field without which no form is taken. */
export function formToken({ formToken }: Pick<Visit, 'formToken'>): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/** Hidden fields that carry what a form is about. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}
