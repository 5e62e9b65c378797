import { msFromIso } from '../../domain/clock.js';
import { type Cell, isDateCell } from '../../domain/row.js';
import { ABSENT, type Reading, refuseFor } from '../values/reading.js';
import { isEmptyValue, trimText } from '../values/trim-text.js';
import type { ZoneNames } from '../values/zone-names.js';
import { clockAt, zoneOf } from './parse-date-text.js';

/** A time of day in a separate column, beside its date. */
export interface TimeOfDay {
  /** Since midnight, up to 86,400,000 (24:00). */
  readonly timeMs: number;
  /** As in `DateText`; null: none. */
  readonly zone: string | null;
  /** The day that a workbook's cell also holds, as yyyy-mm-dd; null: none, as for a time of day. */
  readonly day: string | null;
}

/** Reads the time of day of a row: 14:30, 2:30 PM, 14h30, 14.30 Uhr, or a cell of a workbook. */
export function readTimeOfDay(
  cell: Cell | undefined,
  { column, zones }: { readonly column: string; readonly zones: ZoneNames },
): Reading<TimeOfDay> {
  if (isEmptyValue(cell)) return ABSENT;
  const time = timeOfCell(cell, zones);
  if (time !== null) return { value: time };
  return refuseFor('not-a-time-of-day', column, cell);
}

function timeOfCell(cell: Cell | undefined, zones: ZoneNames): TimeOfDay | null {
  if (typeof cell === 'string') return timeOfText(trimText(cell), zones);
  // A fraction of a day holds no time exactly: seconds are as fine as a workbook shows it.
  if (typeof cell === 'number')
    return cell >= 0 && cell < 1 ? { timeMs: Math.round(cell * 86_400) * 1000, zone: null, day: null } : null;
  if (!isDateCell(cell)) return null;
  const day = cell.date.slice(0, 10);
  const timeMs = Math.round(msFromIso(`1970-01-01${cell.date.slice(10)}Z`));
  return { timeMs, zone: null, day: day < FIRST_DAY ? null : day };
}

/** Workbooks begin to count on days before this one: such a day means a time without a date. */
const FIRST_DAY = '1904-01-02';

function timeOfText(text: string, zones: ZoneNames): TimeOfDay | null {
  const clock = text.length > LONGEST_TIME ? null : clockAt(text.normalize('NFKC'));
  if (clock === null || clock.timeMs === null) return null;
  const zone = zoneOf(trimText(clock.rest), zones);
  return typeof zone === 'object' && zone !== null ? null : { timeMs: clock.timeMs, zone, day: null };
}

/** With seconds, halves of the day and the name of a zone. */
const LONGEST_TIME = 60;
