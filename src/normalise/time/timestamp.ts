import { isoFromMs } from '../../domain/clock.js';
import { type Cell, cellText, isBlankCell, isDateCell } from '../../domain/row.js';
import { ABSENT, type Reading, refuse, shown, UNDECIDED } from '../values/reading.js';
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
import { hasDayBehindYear } from './order-evidence.js';
import { parseDateText } from './parse-date-text.js';
import type { TimeOfDay } from './time-of-day.js';
import { yamlZone, type ZoneClaim } from './zone/zone-notes.js';
import { type LocalTime, zoneResolver } from './zone/zone-offsets.js';

const DAY_MS = 86_400_000;

export interface TimestampContext {
  readonly column: string;
  /** What is said about the zone of times that carry none, best first; empty: nothing. */
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
  if (/^#{2,}$/.test(text)) {
    const because = "isn't a time: the column was too narrow when the file was saved as text";
    const remedy = 'widen the column in the spreadsheet and save the file again';
    return refuse('timestamp-invalid', context.column, cell, because, remedy);
  }
  const parsed = typeof cell === 'object' ? parseDateText(text) : context.parse(text);
  if ('problem' in parsed) return invalid(cell, context, parsed.problem, parsed.remedy);
  const written = parsed.date;
  const isNumeric = 'first' in written;
  if (!context.isWholeColumn) {
    // The column may show more of those.
    const isSwapped = !isNumeric && !isDate(written) && typeof cell !== 'object' && hasDayBehindYear(text);
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
  const beside = isBlankCell(timeCell) ? ABSENT : context.timeOfRow(timeCell);
  if ('issue' in beside) return beside;
  const time = beside.value;
  if (time !== null && !agrees(time, date, ownMs)) return contradicted(cell, timeCell, context);
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
  if (vague) return unclear(cell, vague, context);
  const reading = inZone(first.zone);
  if ('issue' in reading) return reading;
  const other = others.find(({ zone }) => {
    const again = zone === first.zone ? reading : inZone(zone);
    return 'issue' in again || again.value !== reading.value;
  });
  return other ? disagreeing(cell, [first, other], context, column) : reading;
}

function unclear(cell: Cell | undefined, { by, words }: ZoneClaim, context: TimestampContext) {
  const because = `carries no time zone, and "${shown(words)}", by ${by}, names no single zone`;
  const remedy = `say which it is: defaults: { ${context.zoneField}: America/New_York } (for instance) for the source in registrar.yaml`;
  return refuse('timestamp-unzoned', context.column, cell, because, remedy);
}

function disagreeing(
  cell: Cell | undefined,
  [one, other]: readonly [ZoneClaim, ZoneClaim],
  { column, zoneField }: TimestampContext,
  doubtful: string | null,
) {
  const remedy =
    doubtful === null
      ? `say which is right: defaults: { ${zoneField}: ${yamlZone(one.words)} } or defaults: { ${zoneField}: ${yamlZone(other.words)} } for the source in registrar.yaml`
      : `say whether ${doubtful} is the zone of the times: columns: { ${zoneField}: ${JSON.stringify(doubtful)} }, or columns: { ${zoneField}: null } if it is not, for the source in registrar.yaml`;
  const because = `carries no time zone; it is in ${one.words} by ${one.by}, and in ${other.words} by ${other.by}`;
  return refuse('timestamp-unzoned', column, cell, because, remedy);
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

function contradicted(cell: Cell | undefined, timeCell: Cell | undefined, context: TimestampContext) {
  const because = `is not what ${context.timeColumn} "${shown(cellText(timeCell))}" says`;
  const remedy = 'correct the one that is wrong';
  return refuse('timestamp-invalid', context.column, cell, because, remedy);
}

function toUtc(
  cell: Cell | undefined,
  date: CalendarDate,
  timeMs: number | null,
  zone: string | null,
  context: TimestampContext,
): Reading<string> {
  if (zone === null) {
    const because = 'carries no time zone, and the source has none';
    const remedy = zoneRemedy(context.claims[0]);
    return refuse('timestamp-unzoned', context.column, cell, because, remedy);
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
    const of = note === undefined ? '' : `; ${note.by} speaks of ${shown(note.words)}`;
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
  const isTwice = local.kind === 'twice';
  const because = isTwice
    ? `happened twice in ${zone}, because clocks were set back: it is ${moments}`
    : `never happened in ${zone}, because clocks were set forward: it may be meant as ${moments}`;
  const remedy =
    'check timeZone of the source, export the times with their offset or in UTC, or set overlap: earlier or overlap: later for the source';
  const code = isTwice ? 'timestamp-ambiguous' : 'timestamp-nonexistent';
  return refuse(code, context.column, cell, because, remedy);
}

function inRange(cell: Cell | undefined, utcMs: number, context: TimestampContext): Reading<string> {
  const { earliestMs, latestMs } = context;
  if (utcMs >= earliestMs && utcMs <= latestMs) return { value: isoFromMs(utcMs) };
  const isEarly = utcMs < earliestMs;
  const because = isEarly ? `is before ${isoFromMs(earliestMs).slice(0, 10)}` : 'is in the future';
  const remedy = isEarly
    ? 'correct the date in the file; check dateOrder of the source, or set earliest: 1990-01-01 (for instance) if it is meant'
    : 'correct the date in the file; check dateOrder and timeZone of the source and the clock of this machine, or set future: 30d (for instance) if it is meant';
  return refuse('timestamp-out-of-range', context.column, cell, because, remedy);
}

function openOrder(cell: Cell | undefined, date: NumericDate, context: TimestampContext) {
  const possible = (['day-first', 'month-first', 'year-first'] as const).flatMap((order) => {
    const day = orderDate(date, order);
    return day === null || day === 'open' ? [] : isoFromMs(midnightOf(day)).slice(0, 10);
  });
  const orders =
    date.pivot === null ? 'day-first or dateOrder: month-first' : 'day-first, month-first or year-first';
  const because = `may be ${possible.join(' or ')}, and nothing in the column proves which`;
  const remedy = `set dateOrder: ${orders} for the source in registrar.yaml`;
  return refuse('date-order-unknown', context.column, cell, because, remedy);
}

function invalid(
  cell: Cell | undefined,
  context: TimestampContext,
  because: string,
  remedy = 'write the time like 2024-03-10T10:30:00Z, or as a date cell of the workbook',
) {
  return refuse('timestamp-invalid', context.column, cell, because, remedy);
}
