import { isoFromMs } from '../../domain/clock.js';
import { type Cell, LARGEST_KEPT_INTEGER } from '../../domain/row.js';
import type { WorkbookFacts } from '../opened-drop.js';
import type { Archive } from '../zip-entries.js';
import { isStrike, unescapeText } from './rich-text.js';
import { parseSmallXml } from './xml/parse-xml.js';

/**
 * The value of a cell that isn't shared or inline text. `type` is the cell's `t` (ECMA-376 part 1, 18.18.11), '' where it has none; `raw`
 * the text of its `v`: an empty one is an empty text for a formula's text, else no value.
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
  // Not a number in a number cell: returned as is, so that the reader of the row reports the fault.
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

/** The meaning that a number format gives a number: an amount, a moment (`date`), a share (`percent`), or an identifier. */
export type NumberMeaning = 'amount' | 'date' | 'percent' | PaddedNumber;

/** An identifier of this many digits or more, as a person sees it: with the texts that the format puts around it. */
export interface PaddedNumber {
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** The meaning of a built-in format (ECMA-376 part 1, 18.8.30, with the East Asian ones). */
export function builtInMeaning(id: number): NumberMeaning {
  if (id === 9 || id === 10) return 'percent';
  // 46 is elapsed hours, so a duration.
  const isDate =
    (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'amount';
}

/** The meaning of a custom format code; its first section decides, the others are for negative and zero values. */
export function formatMeaning(code: string): NumberMeaning {
  const section = withoutLiterals(code);
  // Elapsed hours, minutes or seconds: a duration.
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return 'amount';
  const symbols = section.replace(/\[[^[\]]*\]/g, '').trim();
  if (/^0{2,}$/.test(symbols)) return paddedNumber(code, symbols.length);
  // A letter that no date has makes it a word: "Standard", a translated "General".
  if (/[ymdhs]/i.test(symbols) && !/[^ymdhsegbap\P{L}]/iu.test(symbols)) return 'date';
  return symbols.includes('%') ? 'percent' : 'amount';
}

function paddedNumber(code: string, digits: number): PaddedNumber {
  const literals = /^(?:\[[^\]]*\])*((?:"[^"]*"|\\.)*)0+((?:"[^"]*"|\\.)*)(?:;|$)/s.exec(code);
  const text = (literal = '') => literal.replace(/"([^"]*)"|\\(.)/gs, '$1$2');
  return { digits, before: text(literals?.[1]), after: text(literals?.[2]) };
}

/** The first section without quoted text, escaped characters, and the characters that `_` and `*` turn into a blank. */
function withoutLiterals(code: string): string {
  const symbols = code.replace(/"[^"]*"?|[\\_*]./gs, '');
  return symbols.slice(0, `${symbols};`.indexOf(';'));
}

/**
 * The local ISO time that a serial number of days means; null for a time of day without date (from 0 to 1), the 29 February 1900 that
 * never was, and a day outside the years a workbook knows. A negative one counts back from the epoch, as in LibreOffice.
 */
export function dateFromSerial(serial: number, epoch: WorkbookFacts['epoch']): string | null {
  if (!(serial >= 1 || (serial < 0 && serial >= FIRST_SERIAL))) return null;
  const ms = wholeMs(serial);
  const day = Math.floor(ms / DAY_MS);
  if (day > LAST_DAY[epoch] || (epoch === 1900 && day === PHANTOM_DAY)) return null;
  // Day 60 doesn't exist, so the days before it are one closer to the others than their numbers say.
  const shiftDays = epoch === 1900 && day >= 0 && day < PHANTOM_DAY ? 1 : 0;
  return `${isoDay(day + shiftDays - UNIX_EPOCH_SERIAL[epoch])}T${timeOfDay(ms - day * DAY_MS)}`;
}

/** `unixDay` counts from 1970-01-01. The days of a file are few and each is written out once. */
function isoDay(unixDay: number): string {
  const cached = isoDays.get(unixDay);
  if (cached !== undefined) return cached;
  const text = isoFromMs(unixDay * DAY_MS).slice(0, ISO_DAY_CHARS);
  if (isoDays.size >= ISO_DAYS_MAX) isoDays.clear();
  isoDays.set(unixDay, text);
  return text;
}

const isoDays = new Map<number, string>();

/** Sixty years. */
const ISO_DAYS_MAX = 22_000;
const ISO_DAY_CHARS = 'yyyy-mm-dd'.length;

/** The seconds of a day are few and come back day after day, so each is written out once. */
function timeOfDay(ms: number): string {
  const cached = isoTimes.get(ms);
  if (cached !== undefined) return cached;
  const text = isoFromMs(ms).slice(ISO_DAY_CHARS + 1, -1);
  if (ms % 1000 === 0) isoTimes.set(ms, text);
  return text;
}

const isoTimes = new Map<number, string>();

const DAY_MS = 86_400_000;
const PHANTOM_DAY = 60;

const UNIX_EPOCH_SERIAL = { 1900: 25_569, 1904: 24_107 } as const;

/** Before 1583 calendars differ. */
const FIRST_SERIAL = -100_000;

/** The serial of 9999-12-31. */
const LAST_DAY = { 1900: 2_958_465, 1904: 2_957_003 } as const;

/** A fraction of a day holds no time exactly: a moment within a millisecond of a whole second was that second. */
function wholeMs(serial: number): number {
  const ms = Math.round(serial * DAY_MS);
  const second = Math.round(ms / 1000) * 1000;
  return Math.abs(ms - second) <= 1 ? second : ms;
}

export interface CellStyles {
  readonly meanings: readonly NumberMeaning[];
  /** The styles that strike the whole cell through; null: none does. */
  readonly struck: ReadonlySet<number> | null;
}

export const NO_STYLES: CellStyles = { meanings: [], struck: null };

export async function readCellStyles(path: string, archive: Archive, part: string): Promise<CellStyles> {
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  const fontIds: number[] = [];
  const struckFonts = new Set<number>();
  let fonts = 0;
  // These elements also occur elsewhere (differential styles, named styles) with another meaning.
  let section = '';
  await parseSmallXml(path, archive, part, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'fonts' || name === 'cellXfs') section = name;
      else if (section === 'numFmts' && name === 'numFmt') {
        codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      } else if (section === 'fonts' && name === 'font') fonts += 1;
      else if (section === 'fonts' && isStrike(name, attributes)) struckFonts.add(fonts - 1);
      else if (section === 'cellXfs' && name === 'xf') {
        formatIds.push(Number(attributes.get('numFmtId') ?? 0));
        fontIds.push(Number(attributes.get('fontId') ?? 0));
      }
    },
    close(name) {
      if (name === section) section = '';
    },
  });
  const struck = fontIds.flatMap((id, style) => (struckFonts.has(id) ? [style] : []));
  return {
    meanings: formatIds.map((id) => {
      const code = codes.get(id);
      return code === undefined ? builtInMeaning(id) : formatMeaning(code);
    }),
    struck: struck.length === 0 ? null : new Set(struck),
  };
}
