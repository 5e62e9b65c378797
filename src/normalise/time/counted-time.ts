import type { NumberPattern } from '../../config/values/date-pattern.js';
import { isoFromMs } from '../../domain/clock.js';

const DAY_MS = 86_400_000;

/** The units that a plain number in a column of times may count, in words. */
const UNITS: readonly [pattern: NumberPattern, counts: string, msOf: (number: number) => number][] = [
  ['excel-serial', 'days as a spreadsheet does', (number) => (number - 25_569) * DAY_MS],
  ['epoch-seconds', 'seconds from 1970', (number) => number * 1000],
  ['epoch-milliseconds', 'milliseconds from 1970', (number) => number],
];

/** 2000-01-01 and 2060-01-01. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 2_840_140_800_000;

/**
 * The pattern by which a plain number is a time in the years of learning records, what it counts, and the day that it is then; null
 * where there is none. The units lie five orders of magnitude apart, so that no number fits two.
 */
export function countedTime(text: string) {
  const number = Number(text.replace(',', '.'));
  const unit = UNITS.find(([, , msOf]) => msOf(number) >= EARLIEST_MS && msOf(number) < LATEST_MS);
  if (unit === undefined) return null;
  const [pattern, counts, msOf] = unit;
  return { pattern, counts, is: isoFromMs(Math.floor(msOf(number))).slice(0, 10) };
}
