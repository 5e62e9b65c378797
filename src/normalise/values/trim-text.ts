import { type Cell, isBlankCell } from '../../domain/row.js';
import { wordSet } from './word-pattern.js';

/**
 * The text without invisible characters around it, and without the quotes around the whole text that remain where a file has a space
 * between delimiter and quote (`a, "b"`). Linear, whatever a cell holds.
 */
export function trimText(text: string): string {
  const trimmed = trimmedText(text);
  if (trimmed.charCodeAt(0) !== QUOTE || !QUOTED.test(trimmed)) return trimmed;
  return trimmedText(trimmed.slice(1, -1).replaceAll('""', '"'));
}

const QUOTE = 34;
const QUOTED = /^"(?:[^"]|"")+"$/;

function trimmedText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && INVISIBLE.test(text.charAt(start))) start++;
  while (end > start && INVISIBLE.test(text.charAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

const INVISIBLE = /[\s\u00ad\u200b-\u200f\u2060]/;

/** The text without one wrapping that protects it from a spreadsheet: `="00123"`, `'00123`, `'00123'`. */
export function unprotected(text: string): string {
  const formula = /^="([^"]*)"$/.exec(text)?.[1];
  if (formula !== undefined || !text.startsWith("'")) return formula ?? text;
  return text.slice(1, text.length > 1 && text.endsWith("'") ? -1 : undefined);
}

/** True for texts that mean "no value" in exports: a dash, n/a, null. Expects trimmed text. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 6 && (/^[-–—]+$/.test(text) || noValues().has(text.toLowerCase()));
}

/** True for a blank cell, and for a text that means "no value". */
export function isEmptyValue(cell: Cell | undefined): boolean {
  return isBlankCell(cell) || (typeof cell === 'string' && cell.length < 20 && isPlaceholder(trimText(cell)));
}

const noValues = wordSet('dates.no-value');
