import { type Html, type HtmlValue, html } from '../../../report/page/html.js';
import type { Visit } from '../../work/visit.js';
import type { FormFields } from '../page.js';

/** The hidden CSRF token, without which every form is refused. */
export function formToken({ formToken }: Pick<Visit, 'formToken'>): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export interface FieldFacts {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** The setting that it changes, as docs/reference.md names it; absent on a form of settings: the one at its place. */
  readonly setting?: string | undefined;
  readonly choices?: readonly string[];
}

export type Choice = Readonly<Record<'value' | 'label', string>>;

/** A value outside the choices is added to them. */
export function optionsOf(choices: readonly Choice[], chosen: string): readonly Html[] {
  const isKnown = choices.some(({ value }) => value === chosen);
  const all = isKnown ? choices : [...choices, { value: chosen, label: chosen }];
  return all.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === chosen ? html` selected` : ''}>${label}</option>`,
  );
}

/** Values as choices. @param labelOf absent: shown as is. */
export function choicesOf<Value extends string>(
  values: readonly Value[],
  labelOf: (value: Value) => string = (value) => value,
): readonly Choice[] {
  return values.map((value) => ({ value, label: labelOf(value) }));
}

/** The words of values as choices: numbers first, in their order. */
export function choicesIn(words: Readonly<Record<string, string>>): readonly Choice[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

export function explainedChoices(words: Readonly<Record<string, string>>, empty: string): readonly Choice[] {
  const explained = choicesIn(words).map(({ value, label }) => ({ value, label: `${value}: ${label}` }));
  return [{ value: '', label: empty }, ...explained];
}

function field({ name, label, note, setting }: FieldFacts, input: Html): Html {
  const text = html`<label for="${name}">${label}</label>`;
  const help =
    setting &&
    html`<span>${text} <a class="help" href="/help/reference#${setting}" aria-label="Help: ${label}">?</a></span>`;
  return html`<p class="field">${help ?? text}
${input}${note === undefined ? '' : html`\n<small id="${name}-note">${note}</small>`}</p>`;
}

/** A field for one line of text, which browsers neither complete nor correct. */
export function textField(facts: FieldFacts): Html {
  const { name, value, isRequired = false, choices } = facts;
  const required = isRequired ? html` required` : '';
  const list =
    choices &&
    html`<datalist id="${name}-choices">${choices.map((choice) => html`<option value="${choice}">`)}</datalist>`;
  return field(
    facts,
    html`<input id="${name}" name="${name}" type="text"${required} maxlength="320" autocomplete="off" autocapitalize="none" spellcheck="false" value="${value}"${list === undefined ? '' : html` list="${name}-choices"`}${describedBy(facts)}>${list ?? ''}`,
  );
}

export function linesField(facts: FieldFacts): Html {
  const { name, value } = facts;
  return field(
    facts,
    html`<textarea id="${name}" name="${name}" rows="3" maxlength="4000" spellcheck="false"${describedBy(facts)}>
${linesText(value)}</textarea>`,
  );
}

/** The content of a field for several lines: in other places a page shows line ends by their names. */
export function linesText(value: string): Html {
  return html`${value.split(/\r?\n/).map(
    (line) => html`${line}
`,
  )}`;
}

export function choiceField(facts: FieldFacts, choices: readonly Choice[]): Html {
  const { name, value } = facts;
  return field(
    facts,
    html`<select id="${name}" name="${name}"${describedBy(facts)}>${optionsOf(choices, value)}</select>`,
  );
}

/** Boxes of which any number can be ticked; the value has those that are, with commas between them. */
export function checkboxField({ name, label, value }: FieldFacts, choices: readonly Choice[]): Html {
  const ticked = value.split(',');
  return html`<fieldset class="field"><legend>${label}</legend>${choices.map(
    (choice) =>
      html`<label><input type="checkbox" name="${name}" value="${choice.value}"${ticked.includes(choice.value) ? html` checked` : ''}> ${choice.label}</label> `,
  )}</fieldset>`;
}

function describedBy({ name, note }: FieldFacts): HtmlValue {
  return note === undefined ? '' : html` aria-describedby="${name}-note"`;
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

/** Shown when the plan has changed since its preview. */
export const CHANGED_SINCE =
  'This has changed since you opened the page. Check it and decide again. Nothing was changed.';
