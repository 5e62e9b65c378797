import { quoteOf, type RowSyntax } from './record-cutter.js';

/** One field of a record. */
export interface ExcelField {
  readonly text: string;
  /** The field as written, where text follows its closing quote; null: no text does. */
  readonly odd: string | null;
}

/** The fields of a record without its end, and whether its last one ends within quotes. */
export interface ExcelFields {
  readonly fields: readonly ExcelField[];
  readonly isOpen: boolean;
}

/**
 * Cuts a record into its fields as Excel does: a field that begins with a quote ends at the next single quote, and text after
 * that belongs to it unchanged (`"Pedro "the" legend"` is `Pedro the" legend"`). A backslash that escapes does so within quotes
 * and outside, for quotes, delimiters, line ends and itself; `\N` alone is an empty field.
 */
export function excelFields(record: string, syntax: RowSyntax): ExcelFields {
  const { delimiter } = syntax;
  const hasEscapes = syntax.escape === 'backslash';
  const quote = quoteOf(syntax);
  const fields: ExcelField[] = [];
  let at = 0;
  for (;;) {
    const start = at;
    let text = '';
    let isOpen = false;
    let odd = false;
    if (quote !== null && record.startsWith(quote, at)) {
      at += 1;
      for (isOpen = true; at < record.length && isOpen; ) {
        if (isEscape(at)) take();
        else if (record[at] !== quote) text += record[at++];
        else if (record[at + 1] === quote) {
          text += quote;
          at += 2;
        } else {
          isOpen = false;
          at += 1;
        }
      }
      odd = !isOpen && at < record.length && !record.startsWith(delimiter, at);
    }
    while (at < record.length && !record.startsWith(delimiter, at)) {
      if (isEscape(at)) take();
      else text += record[at++];
    }
    const raw = record.slice(start, at);
    fields.push({ text: hasEscapes && raw === '\\N' ? '' : text, odd: odd ? raw : null });
    if (at >= record.length) return { fields, isOpen };
    at += delimiter.length;

    function take(): void {
      const isDelimiter = record.startsWith(delimiter, at + 1);
      text += isDelimiter ? delimiter : record[at + 1];
      at += 1 + (isDelimiter ? delimiter.length : 1);
    }
  }

  /** A backslash before any other character is itself: paths and regular expressions are full of them. */
  function isEscape(place: number): boolean {
    if (!hasEscapes || record[place] !== '\\') return false;
    const next = record[place + 1];
    if (next === undefined) return false;
    return next === '\\' || next === quote || /[\r\n]/.test(next) || record.startsWith(delimiter, place + 1);
  }
}
