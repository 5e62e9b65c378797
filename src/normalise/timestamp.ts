import { isoFromMs } from '../domain/clock.js';
import { type Cell, isBlankCell } from '../domain/row.js';
import { type DateOrder, isDate, orderDate } from './date-order.js';
import { type CalendarDate, type DateText, parseDateText } from './parse-date-text.js';
import { ABSENT, type Reading, refuse } from './reading.js';
import { isPlaceholder, trimText } from './trim-text.js';
import { utcText } from './utc-text.js';
import { type LocalTime, zoneResolver } from './zone-offsets.js';

/** What is known about a column of times besides its cells. */
export interface TimestampContext {
  readonly column: string;
  /** The zone of times that carry none: the header's, else the source's; null: there is none. */
  readonly zone: string | null;
  /** Declared by the source or proven by the column; null: neither. */
  readonly order: DateOrder | null;
  readonly dateOnly: 'start' | 'noon' | 'end';
  readonly overlap: 'reject' | 'earlier' | 'later';
  /** Milliseconds since 1970; times more than a day after it are refused. */
  readonly nowMs: number;
}

/** 2000-01-01T00:00Z: earlier than that, a completion is a default or a misread number. */
const EARLIEST_MS = 946_684_800_000;
const DAY_MS = 86_400_000;

/**
 * A time of completion as ISO-8601 in UTC with milliseconds (specification §2.2). Whatever the file leaves open,
 * and neither header, column nor source settles, is refused, never guessed.
 */
export function readTimestamp(cell: Cell | undefined, context: TimestampContext): Reading<string> {
  if (isBlankCell(cell)) return ABSENT;
  const text = textOf(cell);
  if (text === null) return invalid(cell, context, 'is not a date');
  if (isPlaceholder(text)) return ABSENT;
  const parsed = parseDateText(text);
  if ('problem' in parsed) return invalid(cell, context, parsed.problem);
  const date = 'month' in parsed.date ? parsed.date : orderDate(parsed.date, context.order);
  if (date === 'open') return openOrder(cell, parsed, context);
  if (date === null || !isDate(date)) return invalid(cell, context, notInCalendar(parsed, context));
  const timeMs = isWorkbookDay(cell, parsed) ? null : parsed.timeMs;
  return toUtc(cell, date, timeMs, parsed.zone ?? context.zone, context);
}

/**
 * Text, a workbook's date, or a number of eight digits, which a spreadsheet makes of 20240310 and which can be
 * neither a count of days (those have five digits) nor of seconds since 2000; null for any other cell.
 */
function textOf(cell: Cell | undefined): string | null {
  if (typeof cell === 'string') return trimText(cell);
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'object' && cell !== null && 'date' in cell ? cell.date : null;
}

/** A workbook stores a day as its midnight: the two can't be told apart, and the day is far more likely. */
function isWorkbookDay(cell: Cell | undefined, parsed: DateText): boolean {
  return typeof cell === 'object' && parsed.timeMs === 0;
}

function toUtc(
  cell: Cell | undefined,
  date: CalendarDate,
  timeMs: number | null,
  zone: string | null,
  context: TimestampContext,
): Reading<string> {
  if (zone === null) {
    return refuse(
      'timestamp-unzoned',
      context.column,
      cell,
      'carries no time zone, and the source has none',
      'set the zone the file was written in: timeZone: Europe/Berlin (for instance) for the source in registrar.yaml',
    );
  }
  const resolve = zoneResolver(zone);
  if (resolve === null) return invalid(cell, context, `names the time zone "${zone}", which is not known`);
  const midnightMs = Date.UTC(date.year, date.month - 1, date.day);
  const local = resolve(midnightMs + (timeMs ?? TIME_OF_DAY_MS[context.dateOnly]));
  const utcMs = timeMs === null ? ofDay(local, context.dateOnly) : ofTime(local, context.overlap);
  return utcMs === null ? notOnce(cell, local, zone, context) : inRange(cell, utcMs, context);
}

const TIME_OF_DAY_MS = { start: 0, noon: DAY_MS / 2, end: DAY_MS - 1000 } as const;

/**
 * The time of day of a bare date comes from us, so clocks that change at midnight don't make it doubtful: of two
 * moments the one that lies within the day is taken. null for a day that a zone left out altogether.
 */
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
  return local.kind === 'twice'
    ? refuse(
        'timestamp-ambiguous',
        context.column,
        cell,
        `happened twice in ${zone}, because clocks were set back: it is ${moments}`,
        'export the times with their offset or in UTC, or set overlap: earlier or overlap: later for the source',
      )
    : refuse(
        'timestamp-nonexistent',
        context.column,
        cell,
        `never happened in ${zone}, because clocks were set forward: it may be meant as ${moments}`,
        'check timeZone of the source, export the times in UTC, or set overlap: earlier or overlap: later',
      );
}

function inRange(cell: Cell | undefined, utcMs: number, context: TimestampContext): Reading<string> {
  if (utcMs >= EARLIEST_MS && utcMs <= context.nowMs + DAY_MS) return { value: utcText(utcMs) };
  const when = utcMs < EARLIEST_MS ? 'lies before the year 2000' : 'lies in the future';
  return refuse(
    'timestamp-out-of-range',
    context.column,
    cell,
    when,
    'correct the date in the file; check dateOrder and timeZone of the source and the clock of this machine',
  );
}

function openOrder(cell: Cell | undefined, parsed: DateText, context: TimestampContext) {
  const { year, first, second } = parsed.date as { year: number; first: number; second: number };
  const iso = (month: number, day: number) =>
    `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return refuse(
    'date-order-unknown',
    context.column,
    cell,
    `may be ${iso(second, first)} or ${iso(first, second)}, and nothing in the column proves which`,
    'set dateOrder: day-first or dateOrder: month-first for the source in registrar.yaml',
  );
}

function notInCalendar(parsed: DateText, context: TimestampContext): string {
  if ('first' in parsed.date && context.order !== null) {
    return `is not a date in the order ${context.order} of the source or its column`;
  }
  return 'is not a day of the calendar';
}

function invalid(cell: Cell | undefined, context: TimestampContext, because: string) {
  return refuse(
    'timestamp-invalid',
    context.column,
    cell,
    because,
    'write the time like 2024-03-10T10:30:00Z, or as a date cell of the workbook',
  );
}
