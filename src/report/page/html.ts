import { visibleText } from '../../domain/text/visible-text.js';

const MARKUP = Symbol('markup');

/** Markup that is safe on a page. Only `html` and `trustedHtml` create it: no data can hold the symbol. */
export interface Html {
  readonly [MARKUP]: string;
}

/** A value that a template takes: text is escaped, markup and lists of it are inserted unchanged, null shows nothing. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/**
 * Markup from a template: html`<td>${cell}</td>`. Values are escaped everywhere, also in attributes, which must therefore be
 * quoted. Characters that are invisible or turn the line around become visible.
 */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let markup = texts[0] ?? '';
  values.forEach((value, index) => {
    markup += markupOf(value) + (texts[index + 1] ?? '');
  });
  return { [MARKUP]: markup };
}

export function joined(pieces: readonly HtmlValue[], separator = ', '): Html {
  return html`${pieces.map((piece, index) => [index === 0 ? '' : separator, piece])}`;
}

/** Markup that doesn't come from a template, such as a style sheet. Never for a text that was read. */
export function trustedHtml(markup: string): Html {
  return { [MARKUP]: markup };
}

export function renderHtml(markup: Html): string {
  return markup[MARKUP];
}

function markupOf(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return visibleText(value).replace(/[&<>"']/g, (one) => ESCAPES[one] ?? '');
  return MARKUP in value ? value[MARKUP] : value.map(markupOf).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
