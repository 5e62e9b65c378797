import { type Cell, LARGEST_KEPT_INTEGER } from '../../domain/row.js';
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

function numberValue(text: string, meaning: NumberMeaning, epoch: WorkbookFacts['epoch']): Cell {
  const value = Number(text);
  // Not a number in a number cell: returned as it stands, so that the reader of the row reports the fault.
  if (!Number.isFinite(value)) return text;
  if (meaning === 'date') {
    const date = dateFromSerial(value, epoch);
    if (date !== null) return { date };
  } else if (meaning === 'percent') {
    // 0.285 * 100 is 28.499999999999996; twelve digits are more than any score has.
    return { percent: Number((value * 100).toPrecision(12)) };
  } else if (meaning !== 'amount' && Number.isInteger(value) && value >= 0 && value <= LARGEST_KEPT_INTEGER) {
    return meaning.before + String(value).padStart(meaning.digits, '0') + meaning.after;
  }
  return value === 0 ? 0 : value;
}
