import { type Cell, isBlankCell } from '../../domain/row.js';
import { wordSet } from './word-pattern.js';

/**
 * The text without the invisible characters around it: white space of any alphabet, no-break spaces, zero-width characters,
 * direction marks, soft hyphens and byte-order marks; and without the quotes around the whole text that remain where a file has a
 * space between delimiter and quote (`a, "b"`). Linear, whatever a cell holds.
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
  while (start < end && showsNothing(text.charCodeAt(start))) start++;
  while (end > start && showsNothing(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** True for texts that mean "no value" in exports: a dash, n/a, null. Expects trimmed text. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 6 && (/^[-–—]+$/.test(text) || noValues().has(text.toLowerCase()));
}

/** True for a blank cell, and for a text that means "no value". */
export function saysNothing(cell: Cell | undefined): boolean {
  return isBlankCell(cell) || (typeof cell === 'string' && cell.length < 20 && isPlaceholder(trimText(cell)));
}

const noValues = wordSet('dates.no-value');

function showsNothing(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x2000) return code === 0xa0 || code === 0xad || code === 0x1680;
  return (
    code <= 0x200f ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
