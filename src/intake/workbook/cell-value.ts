import type { Cell } from '../../domain/row.js';
import type { WorkbookFacts } from '../opened-drop.js';
import type { NumberMeaning } from './number-format.js';
import { unescapeText } from './rich-text.js';
import { dateFromSerial } from './serial-date.js';

/**
 * The value of a cell that isn't a reference to shared text or inline text.
 * `type` is the cell's `t` (ECMA-376 part 1, 18.18.11), '' where it has none; `raw` the text of its `v`. An empty `v`
 * is an empty text for a formula's text, else no value.
 */
export function cellValue(
  type: string,
  raw: string,
  meaning: NumberMeaning,
  epoch: WorkbookFacts['epoch'],
): Cell {
  if (type === 'str') return unescapeText(raw);
  const text = raw.trim();
  if (text === '') return null;
  if (type === 'b') return text === '1' || text.toLowerCase() === 'true';
  if (type === 'e') return { error: text };
  return type === 'd' ? isoValue(text) : numberValue(text, meaning, epoch);
}

/** A date cell in ISO form; with a zone, or as a time of day, it stays text so that nothing of it is lost. */
function isoValue(text: string): Cell {
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2})?(\.\d{1,})?)?$/.exec(text);
  if (match === null) return text;
  const [, day, minute = '00:00', second = ':00', fraction = ''] = match;
  return { date: `${day}T${minute}${second}.${fraction.slice(1, 4).padEnd(3, '0')}` };
}

/** The value of a cell with this number, which is either whole or of no more digits than a number holds. */
export function numberCell(value: number, meaning: NumberMeaning, epoch: WorkbookFacts['epoch']): Cell {
  if (meaning === 'date') {
    const date = dateFromSerial(value, epoch);
    if (date !== null) return { date };
  } else if (meaning === 'percent') {
    // 0.285 * 100 is 28.499999999999996; twelve digits are more than any score has.
    return { percent: Number((value * 100).toPrecision(12)) };
  } else if (meaning !== 'amount' && Number.isSafeInteger(value) && value >= 0) {
    return meaning.before + String(value).padStart(meaning.digits, '0') + meaning.after;
  }
  return value === 0 ? 0 : value;
}

function numberValue(text: string, meaning: NumberMeaning, epoch: WorkbookFacts['epoch']): Cell {
  const value = Number(text);
  // Not a number in a number cell: returned as it stands, so that the reader of the row reports the fault.
  if (!Number.isFinite(value)) return text;
  const cell = numberCell(value, meaning, epoch);
  return typeof cell === 'number' && Math.abs(cell) > Number.MAX_SAFE_INTEGER
    ? (allDigits(text) ?? cell)
    : cell;
}

/**
 * A whole number too large for a JavaScript number, with the digits of the file (identifiers are such numbers) and
 * never an exponent; null when it isn't whole.
 */
function allDigits(text: string): string | null {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]\+?(\d{1,3}))?$/.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const places = Number(exponent);
  if (/[1-9]/.test(fraction.slice(places))) return null;
  const digits = whole + fraction.slice(0, places).padEnd(places, '0');
  return (sign === '-' ? '-' : '') + digits.replace(/^0+(?=\d)/, '');
}
