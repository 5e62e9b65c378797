import { type Html, html } from '../../../report/page/html.js';
import type { Visit } from '../../visits/visit.js';
import type { FormFields } from '../page.js';

/** The hidden field without which no form is taken. */
export function formToken({ formToken }: Pick<Visit, 'formToken'>): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

interface FieldFacts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** What the person has to know; absent: nothing. */
  readonly note?: string | undefined;
  readonly isRequired?: boolean;
  /** The setting that it changes, as docs/reference.md names it. */
  readonly setting?: string;
  readonly choices?: readonly string[];
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function optionsOf(choices: readonly Choice[], chosen: string): readonly Html[] {
  return choices.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`,
  );
}

/** Values as choices. @param labelOf absent: they are shown as they are. */
export function choicesOf<Value extends string>(
  values: readonly Value[],
  labelOf: (value: Value) => string = (value) => value,
): readonly Choice[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}

/** Values with words for each, after the empty one. */
export function explainedChoices(words: Readonly<Record<string, string>>, empty: string): readonly Choice[] {
  const explained = Object.entries(words).map(([value, text]) => ({ value, label: `${value}: ${text}` }));
  return [{ value: '', label: empty }, ...explained];
}

/** A field for one line of text, which browsers neither complete nor correct. */
export function textField({
  name,
  label,
  value,
  note,
  isRequired = false,
  setting,
  choices,
}: FieldFacts): Html {
  const required = isRequired ? html` required` : '';
  const list =
    choices === undefined
      ? ''
      : html`<datalist id="${name}-choices">${choices.map((choice) => html`<option value="${choice}">`)}</datalist>`;
  return html`<p class="field">${labelOf(name, label, setting)}
<input id="${name}" name="${name}" type="text"${required} maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" value="${value}"${choices === undefined ? '' : html` list="${name}-choices"`}${describedBy(name, note)}>${list}${noteOf(name, note)}</p>`;
}

/** A field for several lines. */
export function linesField({ name, label, value, note, setting }: FieldFacts): Html {
  return html`<p class="field">${labelOf(name, label, setting)}
<textarea id="${name}" name="${name}" rows="3" maxlength="4000" spellcheck="false"${describedBy(name, note)}>
${linesText(value)}</textarea>${noteOf(name, note)}</p>`;
}

/** The content of a field for several lines: in other places a page shows line ends by their names. */
export function linesText(value: string): Html {
  return html`${value.split(/\r?\n/).map(
    (line) => html`${line}
`,
  )}`;
}

/** One of several choices. A value that is none of them is one more. */
export function choiceField(
  { name, label, value, note, setting }: FieldFacts,
  choices: readonly Choice[],
): Html {
  const isKnown = choices.some((choice) => choice.value === value);
  return html`<p class="field">${labelOf(name, label, setting)}
<select id="${name}" name="${name}"${describedBy(name, note)}>${optionsOf(isKnown ? choices : [...choices, { value, label: value }], value)}</select>${noteOf(name, note)}</p>`;
}

/** Boxes of which any number can be ticked. @param ticked the values of those that are. */
export function boxesField(
  name: string,
  label: string,
  values: readonly string[],
  ticked: readonly string[],
): Html {
  return html`<fieldset class="field"><legend>${label}</legend>${values.map(
    (value) =>
      html`<label><input type="checkbox" name="${name}" value="${value}"${ticked.includes(value) ? html` checked` : ''}> ${value}</label> `,
  )}</fieldset>`;
}

function labelOf(name: string, label: string, setting: string | undefined): Html {
  const text = html`<label for="${name}">${label}</label>`;
  return setting === undefined
    ? text
    : html`<span>${text} <a class="help" href="/help/reference#${setting}" aria-label="Help: ${label}">?</a></span>`;
}

function describedBy(name: string, note: string | undefined): Html {
  return note === undefined ? html`` : html` aria-describedby="${name}-note"`;
}

function noteOf(name: string, note: string | undefined): Html {
  return note === undefined
    ? html``
    : html`
<small id="${name}-note">${note}</small>`;
}

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

export function notice(sentence: string | null, look: 'bad' | 'open' | 'good' = 'open'): Html {
  return sentence === null ? html`` : html`<p class="notice ${look}" role="alert">${sentence}</p>`;
}

/** Said where a plan is another one than its reader has seen. */
export const CHANGED_SINCE =
  'This has changed since you opened the page. Check it and decide again. Nothing was changed.';
