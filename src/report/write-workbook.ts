import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Style, Worksheet } from 'exceljs';
import { msFromIso } from '../domain/clock.js';
import { LONGEST_CELL, workbookText } from './workbook-text.js';

/** One sheet to write. Its rows are asked for one by one, when its turn comes. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: Iterable<readonly SheetValue[]>;
  /** What the last row says where there are more rows than a sheet holds. */
  readonly whenFull: string;
}

export interface SheetColumn {
  readonly header: string;
  /** `text` (cut where a cell can't hold it) also for what looks like a number, a date or a formula; `time` is ISO text, shown as a date in UTC. */
  readonly kind: 'text' | 'count' | 'time';
  /** Ours, beside columns that people edit: set apart by its colour. */
  readonly isAdded?: boolean;
}

export type SheetValue = string | number | null;

/** Rows of a sheet, its header among them (Excel's specifications and limits). */
export const SHEET_ROWS_MAX = 1_048_576;

/** Columns of a sheet (the same). */
export const SHEET_COLUMNS_MAX = 16_384;

/**
 * Writes a workbook sheet by sheet and row by row, so that memory stays the same however many rows there are. Each
 * sheet has a frozen header with filters. No text can become a formula, a number or a date.
 * @param rowsMax for tests alone.
 */
export async function writeWorkbook(
  path: string,
  sheets: Iterable<Sheet>,
  rowsMax = SHEET_ROWS_MAX,
): Promise<void> {
  const stream = createWriteStream(path, { flags: 'r+' });
  const failed = new AbortController();
  stream.on('error', (error) => failed.abort(error));
  const failure = once(failed.signal, 'abort').then(() => Promise.reject(failed.signal.reason));
  failure.catch(() => undefined);
  // Loading it takes as long as a short command does altogether.
  const { default: exceljs } = await import('exceljs');
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  workbook.creator = 'Registrar';
  for (const sheet of sheets) {
    const worksheet = workbook.addWorksheet(sheet.name, { views: [{ state: 'frozen', ySplit: 1 }] });
    await Promise.race([writeSheet(worksheet, sheet, rowsMax), failure]);
  }
  await Promise.race([workbook.commit(), failure]);
}

async function writeSheet(worksheet: Worksheet, sheet: Sheet, rowsMax: number): Promise<void> {
  const { columns } = sheet;
  const rows = sheet.rows[Symbol.iterator]();
  const measured = take(rows, ROWS_MEASURED);
  worksheet.columns = columns.map((column, index) => ({
    width: widthOf(column, measured, index),
    style: styleOf(column),
  }));
  addHeader(worksheet, columns);
  let lines = 1;
  const next = () => measured.shift() ?? (rows.next().value as readonly SheetValue[] | undefined);
  for (let values = next(); values !== undefined; values = next()) {
    lines += 1;
    if (lines < rowsMax) addRow(worksheet, columns, values);
    else {
      addRow(worksheet, columns, next() === undefined ? values : [sheet.whenFull]);
      break;
    }
    if (lines % ROWS_AT_ONCE === 0) await drained(worksheet);
  }
  worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: lines, column: columns.length } };
  worksheet.commit();
}

/** Rows between two looks at whether the zip has kept up: some hundred kilobytes. */
const ROWS_AT_ONCE = 250;

/** Rows whose texts say how wide a column should be. */
const ROWS_MEASURED = 100;

const NARROWEST = 8;
const WIDEST = 50;
/** `2024-03-01 10:30:00` and its margins. */
const TIME_WIDTH = 20;
/** Of a header: the filter's button stands in it. */
const BUTTON_WIDTH = 3;

const INK = { argb: 'FF1F2937' } as const;
const FAINT = { argb: 'FF4B5563' } as const;

/** `@` keeps text what it is, also when a person types into the cell. */
const TEXT: Partial<Style> = { numFmt: '@', alignment: { vertical: 'top' } };
const COUNT: Partial<Style> = { numFmt: '#,##0', alignment: { vertical: 'top' } };
const TIME: Partial<Style> = { numFmt: 'yyyy-mm-dd hh:mm:ss', alignment: { vertical: 'top' } };
const HEADER = headerStyle('FFE5E7EB', INK);
const ADDED_HEADER = headerStyle('FFD1D5DB', FAINT);
const ADDED = { fill: solid('FFF3F4F6'), font: { color: FAINT } } as const;

const STYLES = { text: TEXT, count: COUNT, time: TIME } as const;
const ADDED_STYLES = {
  text: { ...TEXT, ...ADDED },
  count: { ...COUNT, ...ADDED },
  time: { ...TIME, ...ADDED },
} as const;

function styleOf({ kind, isAdded }: SheetColumn): Partial<Style> {
  return isAdded ? ADDED_STYLES[kind] : STYLES[kind];
}

function headerStyle(fill: string, color: { readonly argb: string }): Partial<Style> {
  return {
    numFmt: '@',
    font: { bold: true, color },
    fill: solid(fill),
    border: { bottom: { style: 'thin', color } },
    alignment: { vertical: 'top' },
  };
}

function solid(argb: string) {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } } as const;
}

function addHeader(worksheet: Worksheet, columns: readonly SheetColumn[]): void {
  const row = worksheet.addRow([]);
  columns.forEach(({ header, isAdded }, index) => {
    const cell = row.getCell(index + 1);
    cell.value = asText(header);
    cell.style = isAdded ? ADDED_HEADER : HEADER;
  });
  row.commit();
}

function addRow(worksheet: Worksheet, columns: readonly SheetColumn[], values: readonly SheetValue[]): void {
  const row = worksheet.addRow([]);
  columns.forEach((column, index) => {
    const cell = row.getCell(index + 1);
    const value = cellValue(values[index] ?? null, column.kind);
    if (value !== null) cell.value = value;
    // The very object each time: exceljs looks styles up by it.
    cell.style = styleOf(column);
  });
  row.commit();
}

function cellValue(value: SheetValue, kind: SheetColumn['kind']) {
  if (value === null || value === '') return null;
  if (kind === 'text' || typeof value === 'number') return typeof value === 'number' ? value : asText(value);
  const ms = kind === 'time' ? msFromIso(value) : Number.NaN;
  return Number.isNaN(ms) ? asText(value) : EPOCH_DAY + ms / DAY_MS;
}

/** Days from the day 0 of workbooks to 1970-01-01. */
const EPOCH_DAY = 25_569;
const DAY_MS = 86_400_000;

/** Text in the cell itself, as one run: of plain text exceljs would make a formula's result. */
function asText(text: string) {
  const whole = text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
  return { richText: [{ text: workbookText(whole) }] };
}

function take<T>(rows: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = rows.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

function widthOf({ header, kind }: SheetColumn, rows: readonly (readonly SheetValue[])[], index: number) {
  const lengths = rows.map((values) => String(values[index] ?? '').length);
  const longest = kind === 'time' ? TIME_WIDTH : Math.max(0, ...lengths) + 1;
  return Math.min(WIDEST, Math.max(NARROWEST, header.length + BUTTON_WIDTH, longest));
}

/** exceljs writes into the zip whether it can follow or not; this waits until it has. */
async function drained(worksheet: Worksheet): Promise<void> {
  const { stream } = worksheet as unknown as { stream: { pipes: readonly Writable[] } };
  for (const pipe of stream.pipes) {
    // Of an old version of streams, which tells of its state only so.
    if (!pipe.write('')) await once(pipe, 'drain');
  }
}
