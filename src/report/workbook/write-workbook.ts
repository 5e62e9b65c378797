import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Cell, Style, Worksheet, WorksheetView } from 'exceljs';
import { msFromIso } from '../../domain/clock.js';
import { clip } from '../text/layout.js';
import type { Letter, MarkedText, Sheet, SheetColumn, SheetValue } from './sheet.js';
import { asText, letterStyle, styleOf } from './styles.js';

/** The most notes of a sheet: a spreadsheet draws each as a shape of its own, and more make it slow. */
const NOTES_MAX = 2_000;

/** Rows of a sheet, its header among them (Excel's specifications and limits). */
export const SHEET_ROWS_MAX = 1_048_576;

/** Columns of a sheet (the same source). */
export const SHEET_COLUMNS_MAX = 16_384;

/**
 * Writes a workbook sheet by sheet and row by row, so that memory stays the same however many rows there are. Each
 * sheet has a frozen header with filters. No text can become a formula, a number or a date.
 * @param rowsMax for tests alone.
 */
export async function writeWorkbook(
  path: string,
  sheets: Iterable<Sheet | Letter> | AsyncIterable<Sheet | Letter>,
  rowsMax = SHEET_ROWS_MAX,
): Promise<void> {
  const stream = createWriteStream(path, { flags: 'r+' });
  const failed = new AbortController();
  stream.on('error', (error) => failed.abort(error));
  const failure = once(failed.signal, 'abort').then(() => Promise.reject(failed.signal.reason));
  failure.catch(() => undefined);
  try {
    // Loading exceljs takes as long as a whole short command.
    const { default: exceljs } = await import('exceljs');
    const workbook = new exceljs.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
    workbook.creator = 'Registrar';
    for await (const sheet of sheets) {
      if ('lines' in sheet) {
        writeLetter(workbook.addWorksheet(sheet.name, { views: NO_GRID, pageSetup: ON_ONE_PAGE }), sheet);
        continue;
      }
      const views = [frozen(sheet.frozenColumns ?? 0)];
      const worksheet = workbook.addWorksheet(sheet.name, { views, pageSetup: ON_PAPER });
      await Promise.race([writeSheet(worksheet, sheet, rowsMax), failure]);
    }
    await Promise.race([workbook.commit(), failure]);
  } finally {
    stream.destroy();
  }
}

function frozen(columns: number): WorksheetView {
  return { state: 'frozen', ySplit: 1, ...(columns > 0 ? { xSplit: columns } : {}) } as WorksheetView;
}

const NO_GRID: WorksheetView[] = [{ state: 'normal', showGridLines: false } as WorksheetView];

/** For print: all columns fit one page's width, and each page has the header. */
const ON_PAPER = {
  orientation: 'landscape',
  fitToPage: true,
  fitToWidth: 1,
  fitToHeight: 0,
  printTitlesRow: '1:1',
} as const;

const ON_ONE_PAGE = { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 } as const;

async function writeSheet(worksheet: Worksheet, sheet: Sheet, rowsMax: number): Promise<void> {
  const { columns } = sheet;
  const rows = oneByOne(sheet.rows);
  try {
    const measured = await take(rows, ROWS_MEASURED);
    const cells = columns.map((column, index) => styled(column, index, measured));
    worksheet.columns = cells.map(({ width, style }) => ({ width, style }));
    addHeader(worksheet, columns, cells);
    let lines = 1;
    let notes = 0;
    const next = async () =>
      measured.shift() ?? ((await rows.next()).value as readonly SheetValue[] | undefined);
    for (let values = await next(); values !== undefined; values = await next()) {
      lines += 1;
      const isLast = lines === rowsMax;
      const isFull = isLast && (await next()) !== undefined;
      notes = addRow(worksheet, cells, isFull ? [sheet.whenFull] : values, notes);
      if (isLast) break;
      if (lines % ROWS_AT_ONCE === 0) await drained(worksheet);
    }
    worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: lines, column: columns.length } };
    worksheet.commit();
  } finally {
    // A query that is not read to its end blocks writes to the ledger.
    await rows.return(undefined);
  }
}

/** Rows after which the writer waits for the zip to keep up: some hundred kilobytes. */
const ROWS_AT_ONCE = 250;

/** Rows that are measured for the width of a column. */
const ROWS_MEASURED = 100;

const NARROWEST = 8;
const WIDEST = 50;
/** `2024-03-01 10:30:00` and its margins. */
const TIME_WIDTH = 20;
/** Width of the filter's button, which stands in a header. */
const BUTTON_WIDTH = 3;

function addHeader(worksheet: Worksheet, columns: readonly SheetColumn[], widths: readonly Styled[]): void {
  const row = worksheet.addRow([]);
  columns.forEach(({ header, kind, look: own, note }, index) => {
    const cell = row.getCell(index + 1);
    if (header !== '') cell.value = asText(header);
    cell.style = styleOf(kind, own ?? 'plain', true, false);
    if (note !== undefined) annotate(cell, note, widths);
  });
  row.commit();
}

/** A column with the style of its cells. */
interface Styled {
  readonly kind: SheetColumn['kind'];
  readonly width: number;
  readonly style: Partial<Style>;
  readonly isWrapped: boolean;
}

/** @returns how many notes the sheet has now. */
function addRow(
  worksheet: Worksheet,
  columns: readonly Styled[],
  values: readonly SheetValue[],
  notes: number,
): number {
  const row = worksheet.addRow([]);
  let lines = 1;
  let all = notes;
  columns.forEach(({ kind, style, isWrapped, width }, index) => {
    const cell = row.getCell(index + 1);
    const given = values[index] ?? null;
    const marked = given !== null && typeof given === 'object' ? given : null;
    const value = cellValue(marked === null ? (given as Exclude<SheetValue, MarkedText>) : marked.text, kind);
    if (value !== null) cell.value = value;
    cell.style = marked === null ? style : styleOf(kind, 'wrong', false, isWrapped);
    if (marked !== null && all < NOTES_MAX) {
      annotate(cell, marked.note, columns);
      all += 1;
    }
    if (isWrapped) lines = Math.max(lines, linesOf(textOf(given), width));
  });
  // Not every program fits a row's height to its text.
  if (lines > 1) row.height = LINE_HEIGHT * Math.min(lines, MOST_LINES);
  row.commit();
  return all;
}

function textOf(value: SheetValue): string {
  return String((value !== null && typeof value === 'object' ? value.text : value) ?? '');
}

/** How many lines a text takes in a cell of this width. */
function linesOf(text: string, width: number): number {
  const perLine = Math.max(1, Math.floor(width * LETTERS_PER_DIGIT));
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
}

/**
 * Puts a note on a cell, in a frame large enough for it: exceljs draws each frame two columns wide, however narrow these
 * are.
 */
function annotate(cell: Cell, text: string, columns: readonly Pick<Styled, 'width'>[]): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note knows no escapes for them
  const plain = clip(text.replace(/[\0-\x08\x0b-\x1f\x7f\ufffe\uffff]/g, ' '), LONGEST_NOTE);
  cell.note = { texts: [{ font: { name: 'Calibri', size: 10 }, text: plain }] };
  const [left, top] = [Number(cell.col), Math.max(0, Number(cell.row) - 1)];
  let right = left;
  for (let width = 0; width < NOTE_WIDTH; right += 1) width += columns[right]?.width ?? NARROWEST;
  const bottom = top + linesOf(plain, NOTE_WIDTH) + 1;
  const drawn = cell as unknown as { _comment: { readonly model: object } };
  drawn._comment = { model: { ...drawn._comment.model, anchor: { left, top, right, bottom } } };
}

const NOTE_WIDTH = 40;

/** The most characters of a note: a longer one reaches beyond its frame. */
const LONGEST_NOTE = 400;

function writeLetter(worksheet: Worksheet, { widths, lines }: Letter): void {
  worksheet.columns = widths.map((width) => ({ width }));
  const links: { address: string; target: string }[] = [];
  for (const { look, cells } of lines) {
    const row = worksheet.addRow([]);
    const isTable = look === 'head' || look === 'row' || look === 'sum';
    let height = 1;
    for (const [index, value] of cells.entries()) {
      const cell = row.getCell(index + 1);
      const link = typeof value === 'object' ? value.toSheet : null;
      const shown = typeof value === 'object' ? value.toSheet : value;
      if (shown !== '') cell.value = typeof shown === 'number' ? shown : asText(shown);
      cell.style = letterStyle(look, typeof shown === 'number', link !== null);
      if (link !== null) links.push({ address: cell.address, target: `'${link.replaceAll("'", "''")}'!A1` });
      if (isTable) height = Math.max(height, linesOf(String(shown), widths[index] ?? NARROWEST));
    }
    row.height = look === 'title' ? TITLE_HEIGHT : LINE_HEIGHT * height + (isTable ? ROW_MARGIN : 0);
    row.commit();
  }
  // Links within the workbook are added here: exceljs would turn a link in a cell's value into one to another file.
  (
    worksheet as unknown as { _sheetRelsWriter: { _hyperlinks: unknown[] } }
  )._sheetRelsWriter._hyperlinks.push(...links);
  worksheet.commit();
}

const TITLE_HEIGHT = 28;
const ROW_MARGIN = 6;

/**
 * Letters that fit one digit's width: a column's width is measured in digits, and letters are narrower. Words are kept
 * whole.
 */
const LETTERS_PER_DIGIT = 1.15;
/** Height of a line in points, for the font above. */
const LINE_HEIGHT = 15;
const MOST_LINES = 12;

function cellValue(value: string | number | null, kind: SheetColumn['kind']) {
  if (value === null || value === '') return null;
  if (kind === 'text' || typeof value === 'number') return typeof value === 'number' ? value : asText(value);
  const ms = kind === 'time' ? msFromIso(value) : Number.NaN;
  return Number.isNaN(ms) ? asText(value) : EPOCH_DAY + ms / DAY_MS;
}

/** Days from the day 0 of workbooks to 1970-01-01. */
const EPOCH_DAY = 25_569;
const DAY_MS = 86_400_000;

async function* oneByOne<T>(rows: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* rows;
}

async function take<T>(rows: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = await rows.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** A column as wide as its first rows need. Text that people don't edit wraps where that is too wide. */
function styled(column: SheetColumn, index: number, rows: readonly (readonly SheetValue[])[]): Styled {
  const { header, kind } = column;
  const lengths = rows.map((values) => textOf(values[index] ?? null).length);
  const longest = kind === 'time' ? TIME_WIDTH : Math.max(0, ...lengths) + 2;
  const needed = Math.min(
    column.widest ?? WIDEST,
    Math.max(NARROWEST, header.length + BUTTON_WIDTH, longest),
  );
  const width = column.width ?? Math.min(column.widest ?? WIDEST, needed);
  const isWrapped = column.wraps === true && (column.width !== undefined || longest > width);
  return { kind, width, style: styleOf(kind, column.look ?? 'plain', false, isWrapped), isWrapped };
}

/** Waits until the zip has taken what was written: exceljs itself doesn't wait. */
async function drained(worksheet: Worksheet): Promise<void> {
  const { stream } = worksheet as unknown as { stream: { pipes: readonly Writable[] } };
  for (const pipe of stream.pipes) {
    // exceljs uses an old version of streams, which shows its state in no other way.
    if (!pipe.write('')) await once(pipe, 'drain');
  }
}
