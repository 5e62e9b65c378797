import { dataFile } from '../../config/values/data-file.js';
import { type Issue, type IssueCode, issueOf } from '../../domain/issue.js';
import {
  type Cell,
  cellText,
  isStruck,
  isUnsavedFormula,
  type StruckCell,
  UNSAVED_FORMULA,
} from '../../domain/row.js';
import { filledText } from '../../domain/text/filled-text.js';

/**
 * What one cell became: a value, null where the cell says nothing, or the reason why it cannot be read. `omitted`: it cannot be
 * read and is omitted, because the source allows it; no other value replaces it.
 */
export type Reading<T> = { readonly value: T | null; readonly omitted?: Issue } | { readonly issue: Issue };

export const ABSENT: { readonly value: null } = { value: null };

/** A cell that can be read only with the whole column known. Compared by identity; its issue is never shown. */
export const UNDECIDED: { readonly issue: Issue } = {
  issue: issueOf('date-order-unknown', null, 'the whole column must be known to read this', 'nothing to do'),
};

/**
 * A cell that cannot be read. `because` follows column and value in the sentence: `Email "ann" is not an e-mail address`. For a formula
 * without a saved value, and for struck-through text, the sentence says only that.
 */
export function refuse(
  code: IssueCode,
  column: string,
  cell: Cell | undefined,
  because: string,
  remedy: string,
): { readonly issue: Issue } {
  if (isUnsavedFormula(cell)) return unsavedFormula(column);
  if (isStruck(cell)) return struckText(column, cell);
  const value = shown(cellText(cell));
  return { issue: { code, column, value, message: `${column} "${value}" ${because}`, remedy } };
}

/** What may be wrong with a cell, as data/texts/cells.yaml words it. */
export type CellFault =
  | ('stray-quote' | 'column-against' | 'word-unclear' | 'share-part' | 'share-unclear' | 'not-completed')
  | ('exempt' | 'not-a-time-of-day' | 'too-narrow' | 'zone-vague' | 'zones-differ' | 'zone-column-differs')
  | ('times-differ' | 'unzoned' | 'happened-twice' | 'never-happened' | 'too-early' | 'in-the-future')
  | ('order-open' | 'no-single-zone' | 'not-an-address' | 'no-identifier' | 'formula-error')
  | ('made-of-identifier' | 'control-character' | 'date-among-codes' | 'zeros-lost' | 'leads-elsewhere')
  | ('url-untyped' | 'score-left-out' | 'no-score' | 'verdict-as-score' | 'decimals-or-thousands')
  | ('beyond-scale' | 'scale-unknown' | 'scales-mixed' | 'beyond-hundred' | 'status-unknown' | 'no-choice')
  | 'no-flag';

interface FaultText {
  readonly code: IssueCode;
  readonly because: string;
  readonly remedy: string;
}

const texts = dataFile<Readonly<Record<CellFault, FaultText>>>('texts/cells');

/** A cell that cannot be read, by its fault. @param parts what the sentences name. */
export function refuseFor(
  fault: CellFault,
  column: string,
  cell: Cell | undefined,
  parts: Readonly<Record<string, string | number>> = {},
): { readonly issue: Issue } {
  const { code, because, remedy } = texts()[fault];
  return refuse(code, column, cell, filledText(because, parts), filledText(remedy, parts));
}

/** What may be wrong with a table or one of its columns, as data/texts/tables.yaml words it. */
export type TableFault =
  | ('status-empty' | 'date-empty' | 'several-sheets' | 'uncounted-sheets' | 'other-header')
  | ('no-such-sheet' | 'several-columns' | 'time-or-duration' | 'no-such-column' | 'type-unclear')
  | ('day-after-year' | 'both-orders' | 'two-writings');

interface TableText {
  readonly code: IssueCode;
  readonly message: string;
  readonly remedy: string;
}

const tableTexts = dataFile<Readonly<Record<TableFault, TableText>>>('texts/tables');

/** The issue of a fault. @param parts what the sentences name besides the column. */
export function issueFor(
  fault: TableFault,
  column: string | null,
  parts: Readonly<Record<string, string | number>> = {},
  value: string | null = null,
): Issue {
  const { code, message, remedy } = tableTexts()[fault];
  const all = { column: column ?? '', ...parts };
  return issueOf(code, column, filledText(message, all), filledText(remedy, all), value);
}

/** The issue of a formula whose value the file doesn't hold: only the program that shows it computes it. */
export function unsavedFormula(column: string): { readonly issue: Issue } {
  return { issue: issueOf('formula-unsaved', column, `${column} is ${UNSAVED_FORMULA}`, SAVE_VALUES) };
}

/** The issue of a cell of which something is struck through: it was taken back, and maybe not all of it. */
export function struckText(column: string, { struck }: StruckCell): { readonly issue: Issue } {
  const message = `${column} "${shown(struck)}" is struck through where ~~ surrounds it`;
  const remedy = 'delete the struck-through text in the workbook, or remove the strikethrough';
  return { issue: issueOf('text-struck', column, message, remedy, shown(struck)) };
}

export const SAVE_VALUES =
  'open the file in Excel or LibreOffice and save it, or have the program that writes it write values';

/** Collects what the cells of one column prove about it. */
export interface ColumnEvidence<Proof> {
  add(cell: Cell | undefined, line: number): void;
  /** null: the column proves nothing. */
  proof(): Proof | null;
  /** True when how some cell is to be read depends on the others. */
  isAsked(): boolean;
}

/** A whole paragraph would bury the message. */
const SHOWN_LENGTH = 80;

/** A text from the file as a value in registrar.yaml, where ${ begins a reference. */
export function quotedYaml(text: string): string {
  return JSON.stringify(text).replaceAll('${', () => '$${');
}

/** A text from the file, fit for one line of a message. */
export function shown(text: string): string {
  const line = text
    .slice(0, SHOWN_LENGTH * 2)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
}

/** Texts remembered by a reader: courses, statuses, scores and headers are few, and a column of many is cheap to forget. */
const MAX_TEXTS = 1_024;

/** Longer texts hardly repeat, and would make the memory large. */
const LONGEST_TEXT = 128;

/** A reader with its results cached by text, for readers whose result depends on the cell alone. */
export function remembering<T, R>(read: (cell: T) => R): (cell: T) => R {
  const readings = new Map<T, R>();
  return (cell) => {
    if (typeof cell !== 'string' || cell.length > LONGEST_TEXT) return read(cell);
    const cached = readings.get(cell);
    if (cached !== undefined) return cached;
    if (readings.size === MAX_TEXTS) readings.clear();
    const text = copyOf(cell) as T & string;
    const reading = read(text);
    readings.set(text, reading);
    return reading;
  };
}

/** A cell may be a piece of a large text that was read from the file, and would keep all of it in memory. */
export function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
