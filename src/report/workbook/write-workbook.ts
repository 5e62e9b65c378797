import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { stream as streams, Worksheet, WorksheetView } from 'exceljs';
import { msFromIso } from '../../domain/clock.js';
import { clippedToCell } from '../../domain/text/clipped-text.js';
import type { Sheet, SheetColumn, SheetValue } from './sheet.js';
import { type StyleName, styleOf } from './styles.js';

/** Rows of a sheet, its header among them (Excel's specifications and limits). */
export const SHEET_ROWS_MAX = 1_048_576;

/** Columns of a sheet (the same source). */
export const SHEET_COLUMNS_MAX = 16_384;

/** Row by row, so that memory stays the same. No text can become a formula, a number or a date. @param rowsMax for tests alone. */
export async function writeWorkbook(
  path: string,
  sheets: Iterable<Sheet> | AsyncIterable<Sheet>,
  rowsMax = SHEET_ROWS_MAX,
): Promise<void> {
  const stream = createWriteStream(path, { flags: 'r+' });
  const failure = once(stream, 'error').then(([error]) => Promise.reject(error));
  failure.catch(() => undefined);
  try {
    // @ts-expect-error It has no types: those are of all of exceljs, which takes twice as long to load.
    const { default: Writer } = await import('exceljs/lib/stream/xlsx/workbook-writer.js');
    const workbook: streams.xlsx.WorkbookWriter = new Writer({ stream, useStyles: true });
    workbook.creator = 'Registrar';
    for await (const sheet of sheets) {
      const worksheet = workbook.addWorksheet(sheet.name, {
        views: [sheet.letter === undefined ? FROZEN : NO_GRID],
        pageSetup: { orientation: 'landscape', fitToWidth: 1, fitToHeight: 0 },
      });
      await Promise.race([writeSheet(worksheet, sheet, rowsMax), failure]);
    }
    await Promise.race([workbook.commit(), failure]);
  } finally {
    stream.destroy();
  }
}

const NO_GRID = { state: 'normal', showGridLines: false } as WorksheetView;

/** The header and the first column stay in view. */
const FROZEN = { state: 'frozen', ySplit: 1, xSplit: 1 } as WorksheetView;

async function writeSheet(worksheet: Worksheet, sheet: Sheet, rowsMax: number): Promise<void> {
  const { letter } = sheet;
  const columns = sheet.columns.map(laidOut);
  worksheet.columns = columns.map(({ width, style }) => (letter ? { width } : { width, style }));
  if (letter) addLines(worksheet, [letter.title, ...letter.above, ''], 'title');
  addHeader(worksheet, columns);
  let lines = 1;
  for await (const values of sheet.rows) {
    lines += 1;
    const isFull = lines === rowsMax;
    addRow(worksheet, columns, isFull ? [FULL] : values);
    if (isFull) break;
    if (lines % ROWS_AT_ONCE === 0) await drained(worksheet);
  }
  if (letter) {
    addRow(worksheet, columns, letter.sums, 'sum');
    addLines(worksheet, ['', ...letter.below], 'heading');
  } else {
    worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: lines, column: columns.length } };
  }
  worksheet.commit();
}

const FULL = 'The sheet is full: the rest is in the CSV files.';

/** Rows after which the writer waits for the zip to keep up: some hundred kilobytes. */
const ROWS_AT_ONCE = 250;

/** Of columns that don't say it, in characters. */
const DEFAULT_WIDTH = 22;

type LaidOut = ReturnType<typeof laidOut>;

function laidOut(column: SheetColumn) {
  const { kind, width = DEFAULT_WIDTH, wraps = false } = column;
  return { ...column, width, style: styleOf(column.styleName ?? 'plain', kind, wraps) };
}

/** Lines of text, the first that isn't empty in a look of its own. They may be longer than their column is wide. */
function addLines(worksheet: Worksheet, lines: readonly string[], first: 'title' | 'heading'): void {
  const start = lines.findIndex((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const row = worksheet.addRow([]);
    const cell = row.getCell(1);
    if (line !== '') cell.value = cellWithText(line);
    cell.style = styleOf(index === start ? first : 'plain', 'text', false);
    if (index === start && first === 'title') row.height = TITLE_HEIGHT;
    row.commit();
  }
}

function addHeader(worksheet: Worksheet, columns: readonly LaidOut[]): void {
  const row = worksheet.addRow([]);
  columns.forEach(({ header, kind, styleName, note }, index) => {
    const cell = row.getCell(index + 1);
    if (header !== '') cell.value = cellWithText(header);
    cell.style = styleOf(styleName ?? 'plain', kind, false, true);
    if (note !== undefined) cell.note = { texts: [{ font: { name: 'Calibri', size: 10 }, text: note }] };
  });
  row.commit();
}

/** @param rowStyle the look of all its cells; absent: that of the columns. */
function addRow(
  worksheet: Worksheet,
  columns: readonly LaidOut[],
  values: readonly SheetValue[],
  rowStyle?: StyleName,
): void {
  const row = worksheet.addRow([]);
  let lines = 1;
  columns.forEach(({ kind, style, width, wraps = false }, index) => {
    const cell = row.getCell(index + 1);
    const value = values[index] ?? null;
    const shown = cellValue(value, kind);
    if (shown !== null) cell.value = shown;
    const isWrong = value !== null && typeof value === 'object';
    const own = isWrong ? 'wrong' : rowStyle;
    cell.style = own === undefined ? style : styleOf(own, kind, wraps);
    if (wraps) lines = Math.max(lines, linesOf(textOf(value), width));
  });
  // Not every program fits a row's height to its text: LibreOffice doesn't.
  if (lines > 1) row.height = LINE_HEIGHT * Math.min(lines, MAX_LINES);
  row.commit();
}

/** How many lines a text needs in a cell of this width. */
function linesOf(text: string, width: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0);
}

/** Heights in points, for the font of the styles. */
const LINE_HEIGHT = 15;
const TITLE_HEIGHT = 28;
const MAX_LINES = 12;

function cellValue(value: SheetValue, kind: SheetColumn['kind']) {
  if (typeof value === 'number') return value;
  const text = textOf(value);
  const ms = kind === 'time' ? msFromIso(text) : Number.NaN;
  if (!Number.isNaN(ms)) return EPOCH_DAY + ms / DAY_MS;
  return text === '' ? null : cellWithText(text);
}

function textOf(value: SheetValue): string {
  return String((value !== null && typeof value === 'object' ? value.wrong : value) ?? '');
}

/** Days from the day 0 of workbooks to 1970-01-01. */
const EPOCH_DAY = 25_569;
const DAY_MS = 86_400_000;

/**
 * The text in the form in which a cell of a workbook holds it. Characters that XML can't hold, and the carriage return,
 * which XML readers change, are escaped like `_x000D_` (ECMA-376 part 1, 22.4.2.4 ST_Xstring); in text that looks like such
 * an escape the underscore is escaped. Readers of the workbook undo this. NUL, which has no escape, becomes ␀.
 */
function workbookText(text: string): string {
  return text
    .replace(ESCAPE_LIKE, '_x005F_')
    .replaceAll('\0', '␀')
    .replace(ILLEGAL, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** DEL is allowed in XML, but exceljs leaves it out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ILLEGAL = /[\x01-\x08\x0b-\x1f\x7f\ufffe\uffff]/g;

const ESCAPE_LIKE = /_(?=x[0-9a-f]{4}_)/gi;

/** A text as one run in the cell itself, clipped where it is too long: exceljs would turn plain text into a formula's result. */
function cellWithText(text: string) {
  return { richText: [{ text: workbookText(clippedToCell(text)) }] };
}

/** Waits until the zip has taken what was written: exceljs itself doesn't wait. */
async function drained(worksheet: Worksheet): Promise<void> {
  const { stream } = worksheet as unknown as { stream: { pipes: readonly Writable[] } };
  for (const pipe of stream.pipes) {
    // exceljs uses an old version of streams, which shows its state in no other way.
    if (!pipe.write('')) await once(pipe, 'drain');
  }
}
