import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Style, Worksheet, WorksheetView } from 'exceljs';
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
  /**
   * `text` (cut where a cell can't hold it) also for what looks like a number, a date or a formula; `number` names
   * something, as a line does; `time` is ISO text, shown as a date in UTC.
   */
  readonly kind: 'text' | 'count' | 'number' | 'time';
  /** Ours, beside columns that people edit: set apart by its colour. */
  readonly isAdded?: boolean;
  /** True: long text takes several lines. */
  readonly wraps?: boolean;
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
  try {
    // Loading it takes as long as a short command does altogether.
    const { default: exceljs } = await import('exceljs');
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
    workbook.creator = 'Registrar';
    for (const sheet of sheets) {
      const worksheet = workbook.addWorksheet(sheet.name, { views: FROZEN_HEADER, pageSetup: ON_PAPER });
      await Promise.race([writeSheet(worksheet, sheet, rowsMax), failure]);
    }
    await Promise.race([workbook.commit(), failure]);
  } finally {
    stream.destroy();
  }
}

const FROZEN_HEADER: WorksheetView[] = [{ state: 'frozen', ySplit: 1 } as WorksheetView];

/** All columns on one page's width, the header on each page. */
const ON_PAPER = {
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  printTitlesRow: '1:1',
} as const;

async function writeSheet(worksheet: Worksheet, sheet: Sheet, rowsMax: number): Promise<void> {
  const { columns } = sheet;
  const rows = sheet.rows[Symbol.iterator]();
  try {
    const measured = take(rows, ROWS_MEASURED);
    const cells = columns.map((column, index) => styled(column, index, measured));
    worksheet.columns = cells.map(({ width, style }) => ({ width, style }));
    addHeader(worksheet, columns);
    let lines = 1;
    const next = () => measured.shift() ?? (rows.next().value as readonly SheetValue[] | undefined);
    for (let values = next(); values !== undefined; values = next()) {
      lines += 1;
      const isLast = lines === rowsMax;
      const isFull = isLast && next() !== undefined;
      addRow(worksheet, cells, isFull ? [sheet.whenFull] : values);
      if (isLast) break;
      if (lines % ROWS_AT_ONCE === 0) await drained(worksheet);
    }
    worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: lines, column: columns.length } };
    worksheet.commit();
  } finally {
    // A query whose answer is not read to its end keeps the ledger from being written to.
    rows.return?.();
  }
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

const LINE_BELOW = { bottom: { style: 'thin', color: { argb: 'FF1F2937' } } } as const;
const FONT = { name: 'Calibri', size: 11 } as const;
const INK = { ...FONT, color: { argb: 'FF1F2937' } } as const;
const FAINT = { ...FONT, color: { argb: 'FF4B5563' } } as const;

/** `@` keeps text what it is, also when a person types into the cell. */
const FORMATS = { text: '@', count: '#,##0', number: '0', time: 'yyyy-mm-dd hh:mm:ss' } as const;

type Look = 'plain' | 'added' | 'header' | 'added header';

const LOOKS: Readonly<Record<Look, Partial<Style>>> = {
  plain: { font: INK },
  added: { font: FAINT, fill: solid('FFF3F4F6') },
  header: { font: { ...INK, bold: true }, fill: solid('FFDBEAFE'), border: LINE_BELOW },
  'added header': { font: { ...FAINT, bold: true }, fill: solid('FFD1D5DB'), border: LINE_BELOW },
};

/** Each combination is one object wherever it is used: exceljs looks styles up by it. */
const STYLES = new Map<string, Partial<Style>>();

function styleOf({ kind, isAdded }: SheetColumn, isHeader: boolean, isWrapped: boolean): Partial<Style> {
  const plain: Look = isHeader ? 'header' : 'plain';
  const added: Look = isHeader ? 'added header' : 'added';
  const look = isAdded ? added : plain;
  const name = `${kind} ${look} ${isWrapped}`;
  const known = STYLES.get(name);
  if (known) return known;
  const isRight = kind === 'count' || kind === 'number';
  const style: Partial<Style> = {
    ...LOOKS[look],
    numFmt: isHeader ? FORMATS.text : FORMATS[kind],
    alignment: {
      vertical: 'top',
      // The indent keeps a number apart from the text beside it.
      ...(isRight ? { horizontal: 'right', indent: 1 } : { horizontal: 'left' }),
      ...(isWrapped ? { wrapText: true } : {}),
    },
  };
  STYLES.set(name, style);
  return style;
}

function solid(argb: string) {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } } as const;
}

function addHeader(worksheet: Worksheet, columns: readonly SheetColumn[]): void {
  const row = worksheet.addRow([]);
  columns.forEach((column, index) => {
    const cell = row.getCell(index + 1);
    cell.value = asText(column.header);
    cell.style = styleOf(column, true, false);
  });
  row.commit();
}

/** A column with how its cells look. */
interface Styled {
  readonly kind: SheetColumn['kind'];
  readonly width: number;
  readonly style: Partial<Style>;
  readonly isWrapped: boolean;
}

function addRow(worksheet: Worksheet, columns: readonly Styled[], values: readonly SheetValue[]): void {
  const row = worksheet.addRow([]);
  let lines = 1;
  columns.forEach(({ kind, style, isWrapped }, index) => {
    const cell = row.getCell(index + 1);
    const value = cellValue(values[index] ?? null, kind);
    if (value !== null) cell.value = value;
    cell.style = style;
    if (isWrapped) lines = Math.max(lines, Math.ceil(String(values[index] ?? '').length / WRAPPED_LENGTH));
  });
  // Not every program fits the height of a row to its text.
  if (lines > 1) row.height = LINE_HEIGHT * Math.min(lines, MOST_LINES);
  row.commit();
}

/** Characters of a line of wrapped text, words being kept whole. */
const WRAPPED_LENGTH = 48;
/** In points, of the font above. */
const LINE_HEIGHT = 15;
const MOST_LINES = 8;

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

/** As wide as its first rows need. Text that people don't edit wraps where that is too wide. */
function styled(column: SheetColumn, index: number, rows: readonly (readonly SheetValue[])[]): Styled {
  const { header, kind } = column;
  const lengths = rows.map((values) => String(values[index] ?? '').length);
  const longest = kind === 'time' ? TIME_WIDTH : Math.max(0, ...lengths) + 2;
  const width = Math.min(WIDEST, Math.max(NARROWEST, header.length + BUTTON_WIDTH, longest));
  const isWrapped = column.wraps === true && longest > WIDEST;
  return { kind, width, style: styleOf(column, false, isWrapped), isWrapped };
}

/** exceljs writes into the zip whether it can follow or not; this waits until it has. */
async function drained(worksheet: Worksheet): Promise<void> {
  const { stream } = worksheet as unknown as { stream: { pipes: readonly Writable[] } };
  for (const pipe of stream.pipes) {
    // Of an old version of streams, which tells of its state only so.
    if (!pipe.write('')) await once(pipe, 'drain');
  }
}
