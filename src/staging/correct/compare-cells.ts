import type { DropFormat } from '../../domain/drop.js';
import { type Cell, isBlankCell, textToCorrect } from '../../domain/row.js';
import { isClippedFrom } from '../../domain/text/clipped-text.js';
import { escapeFormula, unescapeFormula } from '../../domain/text/formula-text.js';

/**
 * True when a cell of a corrected attention file has the value of the original cell: the same text, apart from
 * trailing blanks and from the apostrophe that neutralises a formula; the same text, clipped because the file has it
 * elsewhere; the same number or date in another notation.
 */
export function isSameCell(original: Cell | undefined, given: Cell | undefined): boolean {
  if (isBlankCell(original) || isBlankCell(given)) return isBlankCell(original) && isBlankCell(given);
  const was = tidy(textToCorrect(original));
  const is = tidy(textToCorrect(given));
  if (is === was || tidy(unescapeFormula(is)) === was) return true;
  if ([is, unescapeFormula(is)].some((text) => isClippedFrom(textToCorrect(original), text))) return true;
  if (typeof original === 'boolean') return is.toLowerCase() === was;
  // With leading zeros, or with more digits than a number holds, two texts are different values.
  if (!/^[+-]?0\d/.test(was) && digitsOf(was) <= KEPT_DIGITS && isSameNumber(was, is)) return true;
  const date = isoDate(was);
  return date !== null && date === isoDate(is);
}

/** The value of a changed cell. In a text file, the apostrophe that neutralises a formula is removed. */
export function correctedCell(given: Cell | undefined, format: DropFormat): Cell {
  if (format !== 'csv' || typeof given !== 'string') return given ?? null;
  const restored = unescapeFormula(given);
  return escapeFormula(restored) === given ? restored : given;
}

/**
 * True when a changed identifier looks like the original after a spreadsheet program has opened and saved it: without
 * its zeros, sign or decimals, with the last digits of a long number replaced by zeros, or as a date. A text cell of a
 * workbook is never damaged: spreadsheet programs keep it.
 */
export function isDamagedIdentifier(
  original: Cell | undefined,
  given: Cell | undefined,
  format: DropFormat,
): boolean {
  if (format === 'xlsx' && typeof given === 'string') return false;
  const was = tidy(textToCorrect(original));
  const is = tidy(textToCorrect(given));
  if (isSameNumber(was, is)) return true;
  const isCut =
    digitsOf(was) > KEPT_DIGITS &&
    is.length === was.length &&
    is.startsWith(was.slice(0, KEPT_DIGITS)) &&
    /^0+$/.test(is.slice(KEPT_DIGITS));
  return isCut || isDate(is, given);
}

/**
 * True when a changed completion time is the original one without its seconds, which spreadsheet programs don't show
 * and don't save in text files. Both are ISO times.
 */
export function isWithoutSeconds(was: string, is: string): boolean {
  return was !== is && is === was.replace(/:\d\d(?:\.\d+)?(?=Z|[+-]|$)/, ':00.000');
}

/** Significant digits that spreadsheet programs keep. */
const KEPT_DIGITS = 15;

function digitsOf(text: string): number {
  return /^\d+$/.test(text) ? text.length : 0;
}

/** Spreadsheet programs save a line end within a cell as a line feed. */
function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [decimal(one), decimal(other)];
  return a !== null && a === b;
}

/** A plain number in one notation, `85` for "085.0" and "85,0"; null for any other text. */
function decimal(text: string): string | null {
  const [, sign, whole = '', fraction = '', percent = ''] =
    /^([+-]?)(\d+)(?:[.,](\d+))?\s?(%?)$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const decimals = fraction.replace(/(?<!0)0+$/, '');
  const number = whole.replace(/^0+(?=\d)/, '') + (decimals === '' ? '' : `.${decimals}`);
  return `${sign === '-' && /[1-9]/.test(number) ? '-' : ''}${number}${percent}`;
}

/** An ISO date, with or without a time, in one notation; null for any other text. */
function isoDate(text: string): string | null {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ??
    [];
  return date === undefined ? null : `${date}T${time}:${seconds}.${fraction.padEnd(9, '0')}${zone}`;
}

const MONTH = '(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const DATE_WORDS = new RegExp(`^(?:\\d{1,2}[-. ]+${MONTH}|${MONTH}[-. ]+\\d{2,4})(?:[-. ]+\\d{2,4})?$`, 'iu');
const DATE_NUMBERS = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;

/** True for a date, in which spreadsheet programs turn texts such as `3-4` and `MAR-1`. */
function isDate(text: string, cell: Cell | undefined): boolean {
  const isDateCell = typeof cell === 'object' && cell !== null && 'date' in cell;
  return isDateCell || DATE_WORDS.test(text) || DATE_NUMBERS.test(text);
}
