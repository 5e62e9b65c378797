import type { NumberPattern } from '../../config/values/date-pattern.js';
import { isoFromMs } from '../../domain/clock.js';

/** The unit that a plain number in a column of times may count. */
export interface CountedTime {
  readonly pattern: NumberPattern;
  /** What it counts, in words. */
  readonly counts: string;
  /** The resulting day, such as 2024-03-14. */
  readonly is: string;
}

/**
 * The pattern by which a plain number is a time in the years of learning records; null where there is none. The units lie five
 * orders of magnitude apart, so that no number fits two.
 */
export function countedTime(text: string): CountedTime | null {
  const number = Number(text.replace(',', '.'));
  for (const { pattern, counts, dayMs } of WAYS) {
    const ms = dayMs(number);
    if (ms >= EARLIEST_MS && ms < LATEST_MS)
      return { pattern, counts, is: isoFromMs(Math.floor(ms)).slice(0, 10) };
  }
  return null;
}

/** 2000-01-01 and 2060-01-01. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 2_840_140_800_000;

const DAY_MS = 86_400_000;

const WAYS = [
  {
    pattern: 'excel-serial',
    counts: 'days as a spreadsheet does',
    dayMs: (number: number) => (number - 25_569) * DAY_MS,
  },
  { pattern: 'epoch-seconds', counts: 'seconds from 1970', dayMs: (number: number) => number * 1000 },
  { pattern: 'epoch-milliseconds', counts: 'milliseconds from 1970', dayMs: (number: number) => number },
] as const;
