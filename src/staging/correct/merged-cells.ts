import type { DropFormat } from '../../domain/drop.js';
import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, isDateCell, textToCorrect } from '../../domain/row.js';
import { isClippedFrom } from '../../domain/text/clipped-text.js';
import { escapeFormula, unescapeFormula } from '../../domain/text/formula-text.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { keyInDrop } from '../../operations/keys.js';
import { recordOf } from '../../operations/record-text.js';
import { type CorrectionFault, correctionIssue } from './correction-issues.js';
import type { RowReader } from './rows-again.js';

/** `isChanged` false: the row was a record and has become the same one, or no cell of it was changed. */
export type MergedRow = ReturnType<typeof mergedRow>;

/**
 * Merges the changed cells of a row into its original cells. An unchanged cell keeps its type; a changed cell is the
 * new text. An identifier that a spreadsheet program damaged keeps its original value.
 * @param wasInvalid the row was no record before, whatever its source makes of it by now.
 */
export function mergedRow(
  reader: RowReader,
  format: DropFormat,
  line: number,
  before: readonly Cell[],
  edited: readonly Cell[],
  wasInvalid: boolean,
) {
  const { prepare } = reader;
  const width = Math.max(before.length, edited.length);
  const original = Array.from({ length: width }, (_, index) => before[index] ?? null);
  const differing = original.flatMap((cell, index) => (isSameCell(cell, edited[index]) ? [] : [index]));
  const damages: Issue[] = [];
  const noteDamage = (fault: CorrectionFault, column: string, index: number) =>
    damages.push(
      correctionIssue(fault, { column, text: cellText(edited[index]), was: cellText(original[index]) }),
    );
  const cells = [...original];
  for (const index of differing) {
    const column = mappedColumn(index, reader);
    const isIdentifier = column?.kind === 'identifier' || column?.kind === 'learner';
    if (isIdentifier && isDamagedIdentifier(original[index], edited[index], format))
      noteDamage('changed-by-program', column.header, index);
    else cells[index] = correctedCell(edited[index], format);
  }
  const isWritten = differing.length > damages.length;
  const row = prepare({ line, cells });
  // Only for text files: a time that was typed into a workbook may be meant without seconds.
  for (const index of format === 'csv' ? differing : []) {
    const column = mappedColumn(index, reader);
    if (column?.kind !== 'timestamp') continue;
    const before = prepare({ line, cells: cells.with(index, original[index] ?? null) });
    const [wasAt, isAt] = [before, row].map((one) =>
      one.kind === 'record' ? String(recordOf(reader.operation, one).fields[column.field]) : '',
    ) as [string, string];
    if (isWithoutSeconds(wasAt, isAt)) noteDamage('without-seconds', column.header, index);
  }
  const isSame = !wasInvalid && isSameRecord(prepare({ line, cells: original }), row);
  return { row, cells, isChanged: isWritten && !isSame, damages };
}

/** The field that is read from a column, and the column's header; null: the column isn't mapped. */
function mappedColumn(index: number, { operation, reading }: RowReader) {
  const { mapped } = reading.header.match;
  const field = operation.fields.find(({ name }) => mapped[name]?.index === index);
  if (field === undefined) return null;
  return { field: field.name, kind: field.kind, header: mapped[field.name]?.header ?? '' };
}

function isSameRecord(one: PreparedRow, other: PreparedRow): boolean {
  return (
    one.kind === 'record' &&
    other.kind === 'record' &&
    keyInDrop(one.keys) === keyInDrop(other.keys) &&
    one.keys.digest === other.keys.digest &&
    one.content.title === other.content.title
  );
}

/**
 * True when a cell of a corrected attention file has the value of the original cell: the same text, apart from
 * trailing blanks and from the apostrophe that neutralises a formula; the same text, clipped to what a cell holds; the
 * same number or date in another notation.
 */
export function isSameCell(original: Cell | undefined, edited: Cell | undefined): boolean {
  if (isBlankCell(original) || isBlankCell(edited)) return isBlankCell(original) && isBlankCell(edited);
  const before = tidy(textToCorrect(original));
  const after = tidy(textToCorrect(edited));
  if (after === before || tidy(unescapeFormula(after)) === before) return true;
  if ([after, unescapeFormula(after)].some((text) => isClippedFrom(textToCorrect(original), text)))
    return true;
  if (typeof original === 'boolean') return after.toLowerCase() === before;
  // With leading zeros, or with more digits than a number holds, two texts are different values.
  if (!/^[+-]?0\d/.test(before) && digitsOf(before) <= KEPT_DIGITS && isSameNumber(before, after))
    return true;
  const date = isoDate(before);
  return date !== null && date === isoDate(after);
}

/** The value of a changed cell. In a text file, the apostrophe that neutralises a formula is removed. */
export function correctedCell(edited: Cell | undefined, format: DropFormat): Cell {
  if (format !== 'csv' || typeof edited !== 'string') return edited ?? null;
  const restored = unescapeFormula(edited);
  return escapeFormula(restored) === edited ? restored : edited;
}

/**
 * True when a changed identifier looks like the original after a spreadsheet program has opened and saved it: without
 * its zeros, sign or decimals, with the last digits of a long number replaced by zeros, or as a date. A text cell of a
 * workbook is never damaged: spreadsheet programs keep it.
 */
export function isDamagedIdentifier(
  original: Cell | undefined,
  edited: Cell | undefined,
  format: DropFormat,
): boolean {
  if (format === 'xlsx' && typeof edited === 'string') return false;
  const before = tidy(textToCorrect(original));
  const after = tidy(textToCorrect(edited));
  if (isSameNumber(before, after)) return true;
  const isCut =
    digitsOf(before) > KEPT_DIGITS &&
    after.length === before.length &&
    after.startsWith(before.slice(0, KEPT_DIGITS)) &&
    /^0+$/.test(after.slice(KEPT_DIGITS));
  return isCut || isDate(after, edited);
}

/**
 * True when a changed completion time is the original one without its seconds, which spreadsheet programs don't show
 * and don't save in text files. Both are ISO times.
 */
export function isWithoutSeconds(before: string, after: string): boolean {
  return before !== after && after === before.replace(/:\d\d(?:\.\d+)?(?=Z|[+-]|$)/, ':00.000');
}

/** Significant digits that spreadsheet programs keep. */
const KEPT_DIGITS = 15;

function digitsOf(text: string): number {
  return /^\d+$/.test(text) ? text.length : 0;
}

/** Spreadsheet programs save a line end within a cell as a line feed. */
function tidy(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}

function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [decimal(one), decimal(other)];
  return a !== null && a === b;
}

/** A plain number in one notation, `85` for "085.0" and "85,0"; null for any other text. */
function decimal(text: string): string | null {
  const [, sign, whole = '', fraction = '', percent = ''] =
    /^([+-]?)(\d+)(?:[.,](\d+))?\s?(%?)$/.exec(text) ?? [];
  if (sign === undefined) return null;
  const decimals = fraction.replace(/(?<!0)0+$/, '');
  const number = whole.replace(/^0+(?=\d)/, '') + (decimals === '' ? '' : `.${decimals}`);
  return `${sign === '-' && /[1-9]/.test(number) ? '-' : ''}${number}${percent}`;
}

/** An ISO date, with or without a time, in one notation; null for any other text. */
function isoDate(text: string): string | null {
  const [, date, time = '00:00', seconds = '00', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s?(Z|[+-]\d\d:?\d\d)?$/.exec(text) ??
    [];
  return date === undefined ? null : `${date}T${time}:${seconds}.${fraction.padEnd(9, '0')}${zone}`;
}

const MONTH = '(?:jan|feb|mar|mär|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const DATE_WORDS = new RegExp(`^(?:\\d{1,2}[-. ]+${MONTH}|${MONTH}[-. ]+\\d{2,4})(?:[-. ]+\\d{2,4})?$`, 'iu');
const DATE_NUMBERS = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;

/** True for a date, in which spreadsheet programs turn texts such as `3-4` and `MAR-1`. */
function isDate(text: string, cell: Cell | undefined): boolean {
  return isDateCell(cell) || DATE_WORDS.test(text) || DATE_NUMBERS.test(text);
}
