import { isoFromMs } from '../../domain/clock.js';
import type { WorkbookFacts } from '../opened-drop.js';

/**
 * The moment that a serial number of days means, as local ISO time without zone; null when it means none:
 * a time of day without date (from 0 to 1), the 29 February 1900 that never was (60 of the 1900 epoch), or a day outside
 * the years a workbook knows. A negative one counts back from the epoch, as LibreOffice shows it; Excel shows none.
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
  const known = isoDays.get(unixDay);
  if (known !== undefined) return known;
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
  const known = isoTimes.get(ms);
  if (known !== undefined) return known;
  const text = isoFromMs(ms).slice(ISO_DAY_CHARS + 1, -1);
  if (ms % 1000 === 0) isoTimes.set(ms, text);
  return text;
}

const isoTimes = new Map<number, string>();

const DAY_MS = 86_400_000;
const PHANTOM_DAY = 60;

/** The serial of 1970-01-01. */
const UNIX_EPOCH_SERIAL = { 1900: 25_569, 1904: 24_107 } as const;

/** Before 1583 calendars differ. */
const FIRST_SERIAL = -100_000;

/** The serial of 9999-12-31. */
const LAST_DAY = { 1900: 2_958_465, 1904: 2_957_003 } as const;

/**
 * Milliseconds, rounded: a fraction of a day holds no time exactly. A moment within a millisecond of a whole second was that
 * second before it was written as a fraction.
 */
function wholeMs(serial: number): number {
  const ms = Math.round(serial * DAY_MS);
  const second = Math.round(ms / 1000) * 1000;
  return Math.abs(ms - second) <= 1 ? second : ms;
}
