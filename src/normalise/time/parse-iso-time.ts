import type { DateText } from './date-order.js';

/**
 * Reads the forms that nearly every row has: `2024-03-01`, with `T` or one space before `10:30`, `10:30:15` or `10:30:15.123`, and
 * `Z` behind a time. null for every other text, including a text that is no time of a day. The result equals that of
 * `parseDateText`, many times as fast.
 */
export function parseIsoTime(text: string): DateText | null {
  const found = text.length > LONGEST ? null : ISO.exec(text);
  if (!found) return null;
  const [, year, month, day, hour, minute, second = 0, ms = 0, zone] = found;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (hour === undefined) return { date, timeMs: null, zone: null };
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(ms);
  return { date, timeMs, zone: zone === undefined ? null : 'UTC' };
}

const LONGEST = '2024-03-01T10:30:15.123Z'.length;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3}))?)?(Z)?)?$/;
