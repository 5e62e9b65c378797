import { standsAt, wordUnits } from '../xml/code-units.js';
import { plainTextEnd } from '../xml/plain-text.js';
import { COLUMNS_MAX } from './cell-reference.js';

/** A cell in the form in which nearly all programs write nearly all cells. */
export interface PlainCell {
  /** From 1; 0 where the cell has no reference. */
  readonly column: number;
  readonly style: number;
  /** Its `t`, '' where it has none. */
  readonly type: string;
  /** The start and end of the text of its `v`, or of inline text in one piece; the start is -1 when it has none. */
  readonly valueStart: number;
  readonly valueEnd: number;
  /**
   * Reads the cell that begins at `start`, a `<`, of a text given by its code units. Returns the position after it; -1 when the
   * cell has another form or isn't complete, and then the fields are meaningless. Its text holds no reference and no forbidden
   * character.
   */
  read(units: Uint16Array, start: number): number;
}

/**
 * A reader of `<c r="A1" s="1" t="s"><v>1</v></c>`: only these attributes in any order, and a value, inline text or nothing
 * within. Any other cell is left to the parser of XML, which takes three times as long. One closure, because its steps share the
 * cell that they read.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its steps share the cell that they read
export function plainCell(): PlainCell {
  const cell = { column: 0, style: 0, type: '', valueStart: -1, valueEnd: -1, read };

  function read(units: Uint16Array, start: number): number {
    if (units[start + 1] !== LOWER_C) return -1;
    cell.column = 0;
    cell.style = 0;
    cell.type = '';
    cell.valueStart = -1;
    let seen = 0;
    let at = start + 2;
    for (;;) {
      const code = units[at] as number;
      if (code === GREATER) return readContent(units, at + 1);
      if (code === SLASH) return units[at + 1] === GREATER ? at + 2 : -1;
      // One space, one letter, an equals sign and a double quote.
      if (code !== SPACE || units[at + 2] !== EQUALS || units[at + 3] !== QUOTE) return -1;
      const name = units[at + 1] as number;
      const bit = name === LOWER_R ? 1 : name === LOWER_S ? 2 : name === LOWER_T ? 4 : 0;
      if (bit === 0 || (seen & bit) !== 0) return -1;
      seen |= bit;
      const value = at + 4;
      at =
        bit === 1
          ? readReference(units, value)
          : bit === 2
            ? readStyle(units, value)
            : readType(units, value);
      if (at < 0) return -1;
    }
  }

  /** Each of these functions returns the position after the closing quote, or -1. */
  function readReference(units: Uint16Array, start: number): number {
    let at = start;
    let column = 0;
    let code = units[at] as number;
    while (code >= UPPER_A && code <= UPPER_Z) {
      column = column * 26 + code - UPPER_A + 1;
      if (column > COLUMNS_MAX) return -1;
      at += 1;
      code = units[at] as number;
    }
    if (column === 0 || code === QUOTE) return -1;
    while (code >= ZERO && code <= NINE) {
      at += 1;
      code = units[at] as number;
    }
    cell.column = column;
    return code === QUOTE ? at + 1 : -1;
  }

  function readStyle(units: Uint16Array, start: number): number {
    let at = start;
    let style = 0;
    let code = units[at] as number;
    if (code === QUOTE) return -1;
    while (code >= ZERO && code <= NINE) {
      style = style * 10 + code - ZERO;
      if (style > STYLES_MAX) return -1;
      at += 1;
      code = units[at] as number;
    }
    cell.style = style;
    return code === QUOTE ? at + 1 : -1;
  }

  function readType(units: Uint16Array, start: number): number {
    if (units[start + 1] === QUOTE) {
      const type = LETTER_TYPES[units[start] as number];
      if (type === undefined) return -1;
      cell.type = type;
      return start + 2;
    }
    const type = WORD_TYPES.find(({ word }) => standsAt(units, start, word));
    if (type === undefined) return -1;
    cell.type = type.name;
    return start + type.word.length;
  }

  function readContent(units: Uint16Array, start: number): number {
    if (isValueStart(units, start)) {
      const at = readText(units, start + 3);
      return cell.type !== INLINE && at >= 0 && isValueEnd(units, at) ? at + 8 : -1;
    }
    if (cell.type !== INLINE) return standsAt(units, start, CELL_END) ? start + CELL_END.length : -1;
    const opening = standsAt(units, start, TEXT_START) ? TEXT_START : SPACED_START;
    if (opening === SPACED_START && !standsAt(units, start, SPACED_START)) return -1;
    const at = readText(units, start + opening.length);
    return at >= 0 && standsAt(units, at, TEXT_END) ? at + TEXT_END.length : -1;
  }

  function readText(units: Uint16Array, start: number): number {
    cell.valueStart = start;
    cell.valueEnd = plainTextEnd(units, start);
    return cell.valueEnd;
  }

  return cell;
}

/** Whether `<v>` is there; a loop would take as long as all other work on a cell. */
function isValueStart(units: Uint16Array, at: number): boolean {
  return units[at] === LESS && units[at + 1] === LOWER_V && units[at + 2] === GREATER;
}

/** Whether `</v></c>` is there, given that a `<` is. */
function isValueEnd(units: Uint16Array, at: number): boolean {
  return (
    units[at + 1] === SLASH &&
    units[at + 2] === LOWER_V &&
    units[at + 3] === GREATER &&
    units[at + 4] === LESS &&
    units[at + 5] === SLASH &&
    units[at + 6] === LOWER_C &&
    units[at + 7] === GREATER
  );
}

/** A whole number of at most 15 digits, which every number holds exactly; NaN when there is anything else. */
export function wholeNumber(units: Uint16Array, start: number, end: number): number {
  if (start === end || end - start > DIGITS_MAX) return Number.NaN;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (units[at] as number) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** A decimal number whose digits make a safe whole number, read as `Number` does; NaN for anything else. */
export function decimalNumber(units: Uint16Array, start: number, end: number): number {
  const isNegative = units[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  let value = 0;
  let point = -1;
  if (first === end || end - first > DECIMALS_MAX + 1) return Number.NaN;
  for (let at = first; at < end; at += 1) {
    const digit = (units[at] as number) - ZERO;
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
/** One more: a serial date of our years has 16 digits, which without their point are a safe whole number. */
const DECIMALS_MAX = 16;
const POWERS = Array.from({ length: DECIMALS_MAX + 1 }, (_, places) => 10 ** places);
const INLINE = 'inlineStr';
const WORD_TYPES = ['str', INLINE].map((name) => ({ name, word: wordUnits(`${name}"`) }));
/** By the code of their letter. */
const LETTER_TYPES: Readonly<Record<number, string | undefined>> = Object.fromEntries(
  ['s', 'n', 'b', 'e', 'd'].map((type) => [type.charCodeAt(0), type]),
);
/** More than any workbook has (65,490); the parser of XML judges higher numbers. */
const STYLES_MAX = 1_000_000;
const TEXT_START = wordUnits('<is><t>');
const SPACED_START = wordUnits('<is><t xml:space="preserve">');
const TEXT_END = wordUnits('</t></is></c>');
const CELL_END = wordUnits('</c>');

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
