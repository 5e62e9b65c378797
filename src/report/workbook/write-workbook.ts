import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Cell, Style, Worksheet, WorksheetView } from 'exceljs';
import { msFromIso } from '../../domain/clock.js';
import { clip } from '../text/layout.js';
import { LONGEST_CELL, workbookText } from './workbook-text.js';

/** Rows of a sheet, one by one. */
export type SheetRows = Iterable<readonly SheetValue[]> | AsyncIterable<readonly SheetValue[]>;

/** One sheet to write. Its rows are asked for one by one, when its turn comes. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly rows: SheetRows;
  /** What the last row says where there are more rows than a sheet holds. */
  readonly whenFull: string;
  /** Columns that stay where they are when people move sideways; absent: none. */
  readonly frozenColumns?: number;
}

/** A sheet that is read like a letter: a title, lines of text and a table, each in its own look. */
export interface Letter {
  readonly name: string;
  /** Of each column, in characters. */
  readonly widths: readonly number[];
  readonly lines: readonly LetterLine[];
}

export interface LetterLine {
  /** `title`, `heading` and `text` may be longer than their column is wide: nothing stands beside them. */
  readonly look: 'title' | 'heading' | 'text' | 'head' | 'row' | 'sum';
  readonly cells: readonly (string | number | { readonly toSheet: string })[];
}

export interface SheetColumn {
  readonly header: string;
  /**
   * `text` (cut where a cell can't hold it) also for what looks like a number, a date or a formula; `number` names
   * something, as a line does; `time` is ISO text, shown as a date in UTC.
   */
  readonly kind: 'text' | 'count' | 'number' | 'time';
  /**
   * Set apart by its colour: `added` is ours and beside columns that people edit, `guide` says what is to be done,
   * `fill-in` is what people write into.
   */
  readonly look?: 'added' | 'guide' | 'fill-in';
  /** True: long text takes several lines. */
  readonly wraps?: boolean;
  /** In characters; absent: as its first rows need, up to `widest`. */
  readonly width?: number;
  readonly widest?: number;
  /** What the header says to whoever points at it. */
  readonly note?: string;
}

export type SheetValue = string | number | null | MarkedText;

/** A text that is wrong, in a colour and with a note that says why. */
export interface MarkedText {
  readonly text: string;
  readonly note: string;
}

/** Notes of a sheet: a spreadsheet draws each as a shape of its own, and is slow where there are more. */
const NOTES_MAX = 2_000;

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
  sheets: Iterable<Sheet | Letter> | AsyncIterable<Sheet | Letter>,
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

/** All columns on one page's width, the header on each page. */
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
    // A query whose answer is not read to its end keeps the ledger from being written to.
    await rows.return(undefined);
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

/** A fill hides the lines of the sheet's own grid. */
const HAIRLINE = { style: 'thin', color: { argb: 'FFE5E7EB' } } as const;
const HAIRLINES = { top: HAIRLINE, bottom: HAIRLINE, left: HAIRLINE, right: HAIRLINE } as const;
const LINE_BELOW = { bottom: { style: 'thin', color: { argb: 'FF1F2937' } } } as const;
const FONT = { name: 'Calibri', size: 11 } as const;
const INK = { ...FONT, color: { argb: 'FF1F2937' } } as const;
const FAINT = { ...FONT, color: { argb: 'FF4B5563' } } as const;

/** `@` keeps text what it is, also when a person types into the cell. */
const FORMATS = { text: '@', count: '#,##0', number: '0', time: 'yyyy-mm-dd hh:mm:ss' } as const;

type Look = NonNullable<SheetColumn['look']> | 'plain' | 'wrong';

const LOOKS: Readonly<Record<Look, { readonly cell: Partial<Style>; readonly header: Partial<Style> }>> = {
  plain: looks(INK, null, 'FFDBEAFE'),
  added: looks(FAINT, 'FFF3F4F6', 'FFD1D5DB'),
  guide: looks(INK, 'FFFFF7ED', 'FFFED7AA'),
  'fill-in': looks(INK, 'FFFEF9C3', 'FFFDE047'),
  wrong: looks({ ...INK, bold: true, color: { argb: 'FF7F1D1D' } }, 'FFFECACA', 'FFFECACA'),
};

function looks(font: Partial<Style>['font'] & object, fill: string | null, header: string) {
  return {
    cell: { font, ...(fill === null ? {} : { fill: solid(fill), border: HAIRLINES }) },
    header: { font: { ...font, bold: true }, fill: solid(header), border: LINE_BELOW },
  };
}

/** Each combination is one object wherever it is used: exceljs looks styles up by it. */
const STYLES = new Map<string, Partial<Style>>();

function styleOf(
  kind: SheetColumn['kind'],
  name: Look,
  isHeader: boolean,
  isWrapped: boolean,
): Partial<Style> {
  const key = `${kind} ${name} ${isHeader} ${isWrapped}`;
  const known = STYLES.get(key);
  if (known) return known;
  const isRight = kind === 'count' || kind === 'number';
  const style: Partial<Style> = {
    ...LOOKS[name][isHeader ? 'header' : 'cell'],
    numFmt: isHeader ? FORMATS.text : FORMATS[kind],
    alignment: {
      vertical: 'top',
      // The indent keeps a number apart from the text beside it.
      ...(isRight ? { horizontal: 'right', indent: 1 } : { horizontal: 'left' }),
      ...(isWrapped ? { wrapText: true } : {}),
    },
  };
  STYLES.set(key, style);
  return style;
}

function solid(argb: string) {
  return { type: 'pattern', pattern: 'solid', fgColor: { argb } } as const;
}

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

/** A column with how its cells look. */
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
  // Not every program fits the height of a row to its text.
  if (lines > 1) row.height = LINE_HEIGHT * Math.min(lines, MOST_LINES);
  row.commit();
  return all;
}

function textOf(value: SheetValue): string {
  return String((value !== null && typeof value === 'object' ? value.text : value) ?? '');
}

/** Lines that a text takes in a cell so wide. */
function linesOf(text: string, width: number): number {
  const perLine = Math.max(1, Math.floor(width * LETTERS_PER_DIGIT));
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
}

/** Puts a note on a cell, in a frame that holds it: exceljs draws each two columns wide, however narrow these are. */
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

/** Longer ones reach beyond the frame that they are shown in. */
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
  // A link within the workbook: exceljs would make one to another file of what is a cell's value.
  (
    worksheet as unknown as { _sheetRelsWriter: { _hyperlinks: unknown[] } }
  )._sheetRelsWriter._hyperlinks.push(...links);
  worksheet.commit();
}

const TITLE_HEIGHT = 28;
const ROW_MARGIN = 6;

function letterStyle(look: LetterLine['look'], isNumber: boolean, isLink: boolean): Partial<Style> {
  const key = `letter ${look} ${isNumber} ${isLink}`;
  const known = STYLES.get(key);
  if (known) return known;
  const isTable = look === 'head' || look === 'row' || look === 'sum';
  const font = {
    ...INK,
    ...(look === 'title' ? { size: 18, bold: true } : {}),
    ...(look === 'heading' || look === 'head' || look === 'sum' ? { bold: true } : {}),
    ...(isLink ? { underline: true, color: { argb: 'FF1D4ED8' } } : {}),
  };
  const style: Partial<Style> = {
    font,
    numFmt: isNumber ? FORMATS.count : FORMATS.text,
    alignment: {
      vertical: 'top',
      horizontal: isNumber ? 'right' : 'left',
      ...(isNumber ? { indent: 1 } : {}),
      ...(isTable ? { wrapText: true } : {}),
    },
    ...(look === 'head' ? { fill: solid('FFDBEAFE'), border: LINE_BELOW } : {}),
    ...(look === 'row' ? { border: { bottom: HAIRLINE } } : {}),
    ...(look === 'sum' ? { border: { top: LINE_BELOW.bottom } } : {}),
  };
  STYLES.set(key, style);
  return style;
}

/** Letters are narrower than the digits that a column's width is told in; words are kept whole. */
const LETTERS_PER_DIGIT = 1.15;
/** In points, of the font above. */
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

/** Text in the cell itself, as one run: of plain text exceljs would make a formula's result. */
function asText(text: string) {
  const whole = text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
  return { richText: [{ text: workbookText(whole) }] };
}

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

/** As wide as its first rows need. Text that people don't edit wraps where that is too wide. */
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

/** exceljs writes into the zip whether it can follow or not; this waits until it has. */
async function drained(worksheet: Worksheet): Promise<void> {
  const { stream } = worksheet as unknown as { stream: { pipes: readonly Writable[] } };
  for (const pipe of stream.pipes) {
    // Of an old version of streams, which tells of its state only so.
    if (!pipe.write('')) await once(pipe, 'drain');
  }
}
