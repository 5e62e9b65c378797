import { isoFromMs } from '../../domain/clock.js';
import { type Cell, cellText, isBlankCell, isDateCell } from '../../domain/row.js';
import { ABSENT, type Reading, refuse, refuseFor, shown, UNDECIDED } from '../values/reading.js';
import { isPlaceholder, trimText } from '../values/trim-text.js';
import {
  type CalendarDate,
  type DateOrder,
  type DateText,
  type DateTextProblem,
  isDate,
  type NumericDate,
  orderDate,
} from './date-order.js';
import { hasDayAfterYear } from './order-evidence.js';
import { parseDateText } from './parse-date-text.js';
import type { TimeOfDay } from './time-of-day.js';
import { yamlZone, type ZoneClaim } from './zone/zone-notes.js';
import { type LocalTime, zoneResolver } from './zone/zone-offsets.js';

const DAY_MS = 86_400_000;

export interface TimestampContext {
  readonly column: string;
  /** Claims about the zone of times that carry none, best first; empty: there are none. */
  readonly claims: readonly ZoneClaim[];
  readonly zoneOfRow: (cell: Cell | undefined) => Reading<string>;
  /** The header of that column where it doesn't say of which times: then `claims` must agree with it. Absent: it does. */
  readonly doubtfulZones?: string | null;
  readonly zoneField: string;
  readonly timeOfRow: (cell: Cell | undefined) => Reading<TimeOfDay>;
  readonly timeColumn: string;
  /** Declared by the source or proven by the column; null: neither. */
  readonly order: DateOrder | null;
  /** False where only the first rows of the drop are known: then an order that isn't declared is undecided. */
  readonly isWholeColumn: boolean;
  /** Reads a text by the usual forms, or by the patterns that the source declares. */
  readonly parse: (text: string) => DateText | DateTextProblem;
  readonly dateOnly: 'start' | 'noon' | 'end';
  readonly overlap: 'reject' | 'earlier' | 'later';
  /** Milliseconds since 1970; times before `earliestMs` or after `latestMs` are refused. */
  readonly earliestMs: number;
  readonly latestMs: number;
}

/**
 * A time of completion as ISO-8601 in UTC with milliseconds (specification §2.2). What the file leaves open, and neither header,
 * column nor source settles, is refused, never guessed.
 * @param zoneCell read only for a time that carries no zone. @param timeCell must agree with a time that the date has itself.
 */
export function readTimestamp(
  cell: Cell | undefined,
  context: TimestampContext,
  zoneCell?: Cell,
  timeCell?: Cell,
): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  const text = textOf(cell);
  if (text === null) return invalid(cell, context, 'is not a date');
  if (isPlaceholder(text)) return ABSENT;
  if (/^#{2,}$/.test(text)) return refuseFor('too-narrow', context.column, cell);
  const parsed = typeof cell === 'object' ? parseDateText(text) : context.parse(text);
  if ('problem' in parsed) return invalid(cell, context, parsed.problem, parsed.remedy);
  const written = parsed.date;
  const isNumeric = 'first' in written;
  if (!context.isWholeColumn) {
    // The column may show more of those.
    const isSwapped = !isNumeric && !isDate(written) && typeof cell !== 'object' && hasDayAfterYear(text);
    if (isSwapped || (isNumeric && context.order === null)) return UNDECIDED;
  }
  const date = isNumeric ? orderDate(written, context.order) : written;
  if (date === 'open') return openOrder(cell, written as NumericDate, context);
  if (date === null || !isDate(date)) {
    const because =
      isNumeric && context.order !== null
        ? `is not a date in the order ${context.order} of the source or its column`
        : 'is not a day of the calendar';
    return invalid(cell, context, because);
  }
  // A workbook stores a day as its midnight: the two look the same, and the day is far more likely.
  const ownMs = typeof cell === 'object' && parsed.timeMs === 0 ? null : parsed.timeMs;
  const timeReading = isBlankCell(timeCell) ? ABSENT : context.timeOfRow(timeCell);
  if ('issue' in timeReading) return timeReading;
  const time = timeReading.value;
  if (time !== null && !agrees(time, date, ownMs)) {
    const other = { column: context.timeColumn, value: shown(cellText(timeCell)) };
    return refuseFor('times-differ', context.column, cell, other);
  }
  const timeMs = time?.timeMs ?? ownMs;
  const ownZone = time?.zone ?? parsed.zone;
  if (ownZone !== null) return toUtc(cell, date, timeMs, ownZone, context);
  const zone = context.zoneOfRow(zoneCell);
  if ('issue' in zone) return zone;
  const { claims, doubtfulZones = null } = context;
  const inZone = (of: string | null) => toUtc(cell, date, timeMs, of, context);
  if (zone.value === null) {
    // What a line of the file says is for a person to confirm.
    const isSettled = claims.some(({ line }) => line === null);
    return isSettled ? agreed(cell, claims, inZone, context) : inZone(null);
  }
  if (doubtfulZones === null || claims.length === 0) return inZone(zone.value);
  const words = shown(cellText(zoneCell));
  const ofRow = { zone: zone.value, words, by: `${doubtfulZones} "${words}"`, line: null };
  return agreed(cell, [ofRow, ...claims], inZone, context, doubtfulZones);
}

/** The moment to which all claims about the zone come; they may disagree about other days. */
function agreed(
  cell: Cell | undefined,
  claims: readonly ZoneClaim[],
  inZone: (zone: string | null) => Reading<string>,
  context: TimestampContext,
  column: string | null = null,
): Reading<string> {
  const [first, ...others] = claims as readonly [ZoneClaim, ...ZoneClaim[]];
  const vague = claims.find(({ zone }) => zone === null);
  const { column: times, zoneField: field } = context;
  if (vague) return refuseFor('zone-vague', times, cell, { field, by: vague.by, words: shown(vague.words) });
  const reading = inZone(first.zone);
  if ('issue' in reading) return reading;
  const other = others.find(({ zone }) => {
    const again = zone === first.zone ? reading : inZone(zone);
    return 'issue' in again || again.value !== reading.value;
  });
  if (other === undefined) return reading;
  const claim = { field, words: first.words, by: first.by, others: other.words, otherBy: other.by };
  const parts = { ...claim, zone: yamlZone(first.words), otherZone: yamlZone(other.words) };
  return column === null
    ? refuseFor('zones-differ', times, cell, parts)
    : refuseFor('zone-column-differs', times, cell, { ...parts, column, header: JSON.stringify(column) });
}

/** Text, a workbook's date, or a number: a spreadsheet turns 20240310 into one. null for any other cell. */
function textOf(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return trimText(cell);
  if (typeof cell === 'number') return String(cell);
  return isDateCell(cell) ? cell.date : null;
}

/** Midnight beside a date may also mean the day alone; seconds may be cut off one of the two times. */
function agrees(time: TimeOfDay, { year, month, day }: CalendarDate, ownMs: number | null): boolean {
  if (time.day !== null && time.day !== isoFromMs(midnightOf({ year, month, day })).slice(0, 10))
    return false;
  const minuteOf = (ms: number) => Math.floor(ms / 60_000);
  return ownMs === null || ownMs === 0 || minuteOf(ownMs) === minuteOf(time.timeMs);
}

function toUtc(
  cell: Cell | undefined,
  date: CalendarDate,
  timeMs: number | null,
  zone: string | null,
  context: TimestampContext,
): Reading<string> {
  if (zone === null) {
    const remedy = zoneRemedy(context.claims[0]);
    return refuseFor('unzoned', context.column, cell, { remedy });
  }
  const resolve = zoneResolver(zone);
  if (resolve === null) throw new Error(`${zone} is not a zone, although its name was looked up`);
  const midnightMs = midnightOf(date);
  const local = resolve(midnightMs + (timeMs ?? TIME_OF_DAY_MS[context.dateOnly]));
  const utcMs = timeMs === null ? ofDay(local, context.dateOnly) : ofTime(local, context.overlap);
  return utcMs === null ? notOnce(cell, local, zone, context) : inRange(cell, utcMs, context);
}

function zoneRemedy(note: ZoneClaim | undefined): string {
  if (note?.zone == null || !/^[A-Z]/.test(note.zone)) {
    const of = note === undefined ? '' : `; ${note.by} mentions ${shown(note.words)}`;
    return `set the zone the file was written in: timeZone: Europe/Berlin (for instance) for the source in registrar.yaml${of}`;
  }
  return `${note.by} names a zone: if it is that of the times, set timeZone: ${note.zone} for the source in registrar.yaml`;
}

/** Read as if it were UTC. */
function midnightOf({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day);
}

const TIME_OF_DAY_MS = { start: 0, noon: DAY_MS / 2, end: DAY_MS - 1000 } as const;

/** Registrar chooses the time of a bare date: of two moments the one within the day. null for a day that the zone left out. */
function ofDay(local: LocalTime, dateOnly: TimestampContext['dateOnly']): number | null {
  if (local.kind === 'once') return local.utcMs;
  if (local.laterMs - local.earlierMs >= DAY_MS) return null;
  return (local.kind === 'never') === (dateOnly !== 'end') ? local.laterMs : local.earlierMs;
}

function ofTime(local: LocalTime, overlap: TimestampContext['overlap']): number | null {
  if (local.kind === 'once') return local.utcMs;
  if (overlap === 'reject') return null;
  return overlap === 'earlier' ? local.earlierMs : local.laterMs;
}

function notOnce(cell: Cell | undefined, local: LocalTime, zone: string, context: TimestampContext) {
  if (local.kind === 'once') throw new Error('a local time that happened once is not doubtful');
  const moments = `${isoFromMs(local.earlierMs)} or ${isoFromMs(local.laterMs)}`;
  const fault = local.kind === 'twice' ? 'happened-twice' : 'never-happened';
  return refuseFor(fault, context.column, cell, { zone, moments });
}

function inRange(cell: Cell | undefined, utcMs: number, context: TimestampContext): Reading<string> {
  const { earliestMs, latestMs } = context;
  if (utcMs >= earliestMs && utcMs <= latestMs) return { value: isoFromMs(utcMs) };
  const earliest = isoFromMs(earliestMs).slice(0, 10);
  return refuseFor(utcMs < earliestMs ? 'too-early' : 'in-the-future', context.column, cell, { earliest });
}

function openOrder(cell: Cell | undefined, date: NumericDate, context: TimestampContext) {
  const possible = (['day-first', 'month-first', 'year-first'] as const).flatMap((order) => {
    const day = orderDate(date, order);
    return day === null || day === 'open' ? [] : isoFromMs(midnightOf(day)).slice(0, 10);
  });
  const orders =
    date.pivot === null ? 'day-first or dateOrder: month-first' : 'day-first, month-first or year-first';
  return refuseFor('order-open', context.column, cell, { days: possible.join(' or '), orders });
}

function invalid(
  cell: Cell | undefined,
  context: TimestampContext,
  because: string,
  remedy = 'write the time like 2024-03-10T10:30:00Z, or as a date cell of the workbook',
) {
  return refuse('timestamp-invalid', context.column, cell, because, remedy);
}
