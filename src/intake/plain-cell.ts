import { COLUMNS_MAX } from './cell-reference.js';
import { plainTextEnd } from './plain-text.js';

/** A cell in the form in which nearly all programs write nearly all cells. */
export interface PlainCell {
  /** From 1; 0 where the cell has no reference. */
  readonly column: number;
  readonly style: number;
  /** Its `t`, '' where it has none. */
  readonly type: string;
  /** Where the text of its `v`, or of inline text in one piece, is; the start is -1 when it has none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /**
   * Reads the cell that begins at `start`, a `<`. Returns where the text goes on behind it; -1 when the cell isn't of
   * this form, or isn't there whole, and says nothing then. No text in it holds a reference or a forbidden character.
   */
  read(source: string, start: number): number;
}

/**
 * A reader of `<c r="A1" s="1" t="s"><v>1</v></c>`: nothing but these attributes in any order, and a value, inline
 * text or nothing in it. Whatever else a cell may hold is left to the parser of XML, which takes three times as long.
 */
export function plainCell(): PlainCell {
  const cell = { column: 0, style: 0, type: '', valueStart: -1, valueEnd: -1, read };

  function read(source: string, start: number): number {
    if (source.charCodeAt(start + 1) !== LOWER_C) return -1;
    cell.column = 0;
    cell.style = 0;
    cell.type = '';
    cell.valueStart = -1;
    let seen = 0;
    let at = start + 2;
    for (;;) {
      const code = source.charCodeAt(at);
      if (code === GREATER) return readContent(source, at + 1);
      if (code === SLASH) return source.charCodeAt(at + 1) === GREATER ? at + 2 : -1;
      // One space, one letter, an equals sign and a double quote.
      if (code !== SPACE || source.charCodeAt(at + 2) !== EQUALS || source.charCodeAt(at + 3) !== QUOTE)
        return -1;
      const name = source.charCodeAt(at + 1);
      const bit = name === LOWER_R ? 1 : name === LOWER_S ? 2 : name === LOWER_T ? 4 : 0;
      if (bit === 0 || (seen & bit) !== 0) return -1;
      seen |= bit;
      const value = at + 4;
      at =
        bit === 1
          ? readReference(source, value)
          : bit === 2
            ? readStyle(source, value)
            : readType(source, value);
      if (at < 0) return -1;
    }
  }

  /** Each of these returns where it goes on behind the closing quote, or -1. */
  function readReference(source: string, start: number): number {
    let at = start;
    let column = 0;
    let code = source.charCodeAt(at);
    while (code >= UPPER_A && code <= UPPER_Z) {
      column = column * 26 + code - UPPER_A + 1;
      if (column > COLUMNS_MAX) return -1;
      at += 1;
      code = source.charCodeAt(at);
    }
    if (column === 0 || code === QUOTE) return -1;
    while (code >= ZERO && code <= NINE) {
      at += 1;
      code = source.charCodeAt(at);
    }
    cell.column = column;
    return code === QUOTE ? at + 1 : -1;
  }

  function readStyle(source: string, start: number): number {
    let at = start;
    let style = 0;
    let code = source.charCodeAt(at);
    if (code === QUOTE) return -1;
    while (code >= ZERO && code <= NINE) {
      style = style * 10 + code - ZERO;
      if (style > STYLES_MAX) return -1;
      at += 1;
      code = source.charCodeAt(at);
    }
    cell.style = style;
    return code === QUOTE ? at + 1 : -1;
  }

  function readType(source: string, start: number): number {
    if (source.charCodeAt(start + 1) === QUOTE) {
      const type = LETTER_TYPES[source.charCodeAt(start)];
      if (type === undefined) return -1;
      cell.type = type;
      return start + 2;
    }
    const type = WORD_TYPES.find((word) => source.startsWith(`${word}"`, start));
    if (type === undefined) return -1;
    cell.type = type;
    return start + type.length + 1;
  }

  function readContent(source: string, start: number): number {
    if (isValueStart(source, start)) {
      const at = readText(source, start + 3);
      return cell.type !== INLINE && at >= 0 && isValueEnd(source, at) ? at + 8 : -1;
    }
    if (cell.type !== INLINE) return source.startsWith(CELL_END, start) ? start + CELL_END.length : -1;
    const opening = source.startsWith(TEXT_START, start) ? TEXT_START : SPACED_START;
    if (opening === SPACED_START && !source.startsWith(SPACED_START, start)) return -1;
    const at = readText(source, start + opening.length);
    return at >= 0 && source.startsWith(TEXT_END, at) ? at + TEXT_END.length : -1;
  }

  function readText(source: string, start: number): number {
    cell.valueStart = start;
    cell.valueEnd = plainTextEnd(source, start);
    return cell.valueEnd;
  }

  return cell;
}

/** Whether `<v>` is there; `startsWith` would take as long as all else that is done for a cell. */
function isValueStart(source: string, at: number): boolean {
  return (
    source.charCodeAt(at) === LESS &&
    source.charCodeAt(at + 1) === LOWER_V &&
    source.charCodeAt(at + 2) === GREATER
  );
}

/** Whether `</v></c>` is there, given that a `<` is. */
function isValueEnd(source: string, at: number): boolean {
  return (
    source.charCodeAt(at + 1) === SLASH &&
    source.charCodeAt(at + 2) === LOWER_V &&
    source.charCodeAt(at + 3) === GREATER &&
    source.charCodeAt(at + 4) === LESS &&
    source.charCodeAt(at + 5) === SLASH &&
    source.charCodeAt(at + 6) === LOWER_C &&
    source.charCodeAt(at + 7) === GREATER
  );
}

/** A whole number of at most 15 digits, which every number holds exactly; NaN when there is anything else. */
export function wholeNumber(source: string, start: number, end: number): number {
  if (start === end || end - start > DIGITS_MAX) return Number.NaN;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = source.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** A decimal number whose digits make a safe whole number, read as `Number` does; NaN for anything else. */
export function decimalNumber(source: string, start: number, end: number): number {
  const isNegative = source.charCodeAt(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  let value = 0;
  let point = -1;
  if (first === end || end - first > DIGITS_MAX + 1) return Number.NaN;
  for (let at = first; at < end; at += 1) {
    const digit = source.charCodeAt(at) - ZERO;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (digit === POINT - ZERO && point < 0 && at > first) point = at;
    else return Number.NaN;
  }
  if (value > Number.MAX_SAFE_INTEGER || point === end - 1) return Number.NaN;
  // Both are exact, so that the quotient is the number next to the true one.
  const magnitude = point < 0 ? value : value / (POWERS[end - 1 - point] ?? Number.NaN);
  return isNegative ? -magnitude : magnitude;
}

const DIGITS_MAX = 15;
const POWERS = Array.from({ length: DIGITS_MAX + 1 }, (_, places) => 10 ** places);
const INLINE = 'inlineStr';
const WORD_TYPES = ['str', INLINE] as const;
/** By the code of their letter. */
const LETTER_TYPES: Readonly<Record<number, string | undefined>> = Object.fromEntries(
  ['s', 'n', 'b', 'e', 'd'].map((type) => [type.charCodeAt(0), type]),
);
/** More than any workbook has (65,490); beyond, the parser of XML says what it thinks of it. */
const STYLES_MAX = 1_000_000;
const TEXT_START = '<is><t>';
const SPACED_START = '<is><t xml:space="preserve">';
const TEXT_END = '</t></is></c>';
const CELL_END = '</c>';

const SPACE = 0x20;
const QUOTE = 0x22;
const MINUS = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const LOWER_C = 0x63;
const LOWER_R = 0x72;
const LOWER_S = 0x73;
const LOWER_T = 0x74;
const LOWER_V = 0x76;
