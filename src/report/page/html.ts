import { visibleText } from '../../domain/text/visible-text.js';

const MARKUP = Symbol('markup');

/** Markup that is fit for a page. Only `html` and `trustedHtml` make it: no data can hold the symbol. */
export interface Html {
  readonly [MARKUP]: string;
}

/** What a template takes: text is escaped, markup and lists of it go in as they are, null shows nothing. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/**
 * Markup from a template: html`<td>${cell}</td>`. Values are escaped wherever they stand, attributes included, which
 * must therefore be quoted; characters that show nothing or turn the line around become visible.
 */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = texts[0] ?? '';
  values.forEach((value, index) => {
    markup += markupOf(value) + (texts[index + 1] ?? '');
  });
  return { [MARKUP]: markup };
}

/** Markup that is no template of ours, such as a style sheet. Never for anything that was read. */
export function trustedHtml(markup: string): Html {
  return { [MARKUP]: markup };
}

/** The text to write into a file. */
export function renderHtml(markup: Html): string {
  return markup[MARKUP];
}

function markupOf(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeText(visibleText(value));
  return MARKUP in value ? value[MARKUP] : value.map(markupOf).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
