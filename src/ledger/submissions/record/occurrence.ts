import { isoFromMs, msFromIso } from '../../../domain/clock.js';

/** The number of digits at the end of a key that are its time. */
export const OCCURRENCE_DIGITS = 12;

/** Stands for the time in the key of a record without one: before all times. */
const NO_TIME = '0'.repeat(OCCURRENCE_DIGITS);

/** Added to the milliseconds since 1970, so that times before it come first: six bytes hold 4,459 years on either side. */
const EPOCH = 2 ** 47;

/** The end of a key: when the record occurred, as a number of milliseconds that keeps the order of times. */
export function occurrenceDigits(occurredAt: string | null): string {
  if (occurredAt === null) return NO_TIME;
  const ms = msFromIso(occurredAt);
  if (!(ms > -EPOCH && ms < EPOCH)) throw new Error(`no key can hold the time ${occurredAt}`);
  const since = ms + EPOCH;
  const high = Math.floor(since / 2 ** 24);
  const low = since - high * 2 ** 24;
  return threeDigits(high >>> 12) + threeDigits(high) + threeDigits(low >>> 12) + threeDigits(low);
}

/** The lowest twelve bits as hex digits. Looked up: a number as large as a time takes longer to write than to hash. */
function threeDigits(bits: number): string {
  return THREE_DIGITS[bits & 4095] as string;
}

const THREE_DIGITS = Array.from({ length: 4096 }, (_, bits) => bits.toString(16).padStart(3, '0'));

/** The ISO time in the last digits of a key; null: the record has none. */
export function timeIn(digits: string): string | null {
  return digits === NO_TIME ? null : isoFromMs(Number.parseInt(digits, 16) - EPOCH);
}
