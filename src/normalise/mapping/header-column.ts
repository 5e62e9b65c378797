import type { SourceConfig } from '../../config/schema.js';
import { isEmailType } from '../../domain/learners/learner.js';
import { onceFor } from '../../domain/process/once.js';
import { type Cell, cellText, isBlankCell, isBlankRow, isDateCell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { parseDateText, USUAL_DATES } from '../time/parse-date-text.js';
import { identifierTypeField, readEmail } from '../values/email.js';
import { statusWordIn } from '../values/status.js';
import { trimText } from '../values/trim-text.js';
import { type AliasMatch, aliasMatches } from './header-aliases.js';

export interface HeaderColumn {
  readonly index: number;
  readonly header: string;
  readonly text: string;
  readonly zone: string | null;
  /** The fields that the header may be. */
  readonly matches: readonly AliasMatch[];
  /** The values below the header: only words of the status vocabulary, only such words that are also numbers, or others. */
  readonly holds: 'status words' | 'numbers that may be a status' | 'other';
  readonly values: () => readonly Cell[];
}

/** Reads a header, and the facts from the rows below it that may decide between two meanings. */
export function toColumn(
  header: string,
  index: number,
  operation: Operation,
  sample: readonly (readonly Cell[])[],
): HeaderColumn {
  const { text, zone } = normaliseHeader(header);
  const matches = isAdded(header) ? [] : aliasMatches(text, operation);
  const values = () => sampleValues(sample, index);
  return { index, header, text, zone, matches, holds: held(index, sample), values };
}

/** True for the columns that Registrar adds to the files it writes (_status, _row): they are never a field. */
export function isAdded(header: string): boolean {
  return header.startsWith('_');
}

function held(index: number, sample: readonly (readonly Cell[])[]): HeaderColumn['holds'] {
  let holds: HeaderColumn['holds'] = 'other';
  for (const row of sample) {
    const cell = row[index];
    if (cell === undefined || isBlankCell(cell)) continue;
    const key = statusWordIn(cell);
    if (key === null) return 'other';
    if (!/^\d+$/.test(key)) holds = 'status words';
    else if (holds === 'other') holds = 'numbers that may be a status';
  }
  return holds;
}

/** True for values none of which could be a score: "Note" is a grade in some languages, and a remark in others. */
export function holdsNoScore(values: readonly Cell[]): boolean {
  return values.length > 0 && !values.some((cell) => SCORE.test(cellText(cell)));
}

/** 85, 8,5, 85 % or 9/10. */
const SCORE = /^\s*-?\d+(?:[.,]\d+)?\s*(?:%|\/\s*\d+(?:[.,]\d+)?)?\s*$/;

/** How many rows below a header show what its columns hold; the same wherever the header is read again. */
export const SAMPLE_ROWS = 30;

/**
 * The values of one column in the first rows, without blank cells and without rows with less than half as many values as other
 * rows: totals and notes.
 */
export function sampleValues(sample: readonly (readonly Cell[])[], index: number): readonly Cell[] {
  return rowsOfData(sample).flatMap((row) => {
    const cell = row[index] ?? null;
    return isBlankCell(cell) ? [] : [cell];
  });
}

/** Computed once for a sample: a sheet may have thousands of columns that need it. */
const rowsOfData = onceFor((sample: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] => {
  const rows = sample.filter((row) => !isBlankRow(row)).slice(0, SAMPLE_ROWS);
  const filled = rows.map((row) => row.filter((cell) => !isBlankCell(cell)).length);
  const most = Math.max(0, ...filled);
  return rows.filter((_, at) => (filled[at] ?? 0) * 2 >= most);
});

export function areAddresses(values: readonly Cell[]): boolean {
  return values.length > 0 && values.every(isAddress);
}

/** True where each value is a time that can be read once order and zone are known, and there is one. */
export function areTimes(values: readonly Cell[]): boolean {
  return (
    values.length > 0 &&
    values.every(
      (cell) =>
        isDateCell(cell) ||
        (typeof cell === 'string' && 'date' in parseDateText(trimText(cell), TWO_DIGITS_TOO)),
    )
  );
}

export function areStatusWords(values: readonly Cell[]): boolean {
  return values.length > 0 && values.every((cell) => statusWordIn(cell) !== null);
}

/** A year of two digits raises a question, and is still one of a time. */
const TWO_DIGITS_TOO = { ...USUAL_DATES, twoDigitYears: 2000 };

function isAddress(cell: Cell): boolean {
  if (typeof cell !== 'string' || !cell.includes('@')) return false;
  const reading = readEmail(cell, { column: '' });
  return 'value' in reading && reading.value !== null;
}

/**
 * The type (specification §2.2) that the identifiers of learners probably have, a proposal: numbers and codes mostly come from
 * personnel systems, names and GUIDs from accounts.
 */
export function identifierKind(values: readonly Cell[]): 'Email' | 'EmployeeId' | 'UserId' {
  if (areAddresses(values)) return 'Email';
  const areNumbers = values.every((cell) => /^\p{L}{0,4}[-_ ]?\d[\d-]*$/u.test(cellText(cell).trim()));
  return values.length > 0 && areNumbers ? 'EmployeeId' : 'UserId';
}

/** True when the source says that identifiers are of one type and the header that they are of another. */
export function contradicts(
  field: Field,
  column: HeaderColumn,
  kind: string,
  operation: Operation,
  source: Pick<SourceConfig, 'defaults'>,
): boolean {
  const typeField = field.kind === 'learner' ? identifierTypeField(operation, field) : null;
  const fixed = typeField ? source.defaults[typeField.name] : undefined;
  const implied = typeField ? impliedBy(typeField, kind, column) : undefined;
  if (fixed === undefined || implied === undefined) return false;
  const type = typeField?.choices?.find((choice) => choice.toLowerCase() === fixed.toLowerCase()) ?? fixed;
  return implied !== type && !(isEmailType(implied) && isEmailType(type));
}

/** Values that the headers of learners' columns, or addresses in them, imply for other fields, by the names of these fields. */
export function impliedValues(
  columns: readonly HeaderColumn[],
  operation: Operation,
  mapped: Readonly<Record<string, Pick<HeaderColumn, 'index'>>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const field of operation.fields) {
    const column = columns[(field.implied && mapped[field.implied.by])?.index ?? -1];
    if (column === undefined) continue;
    const kind = column.matches.find((match) => match.field === field.implied?.by)?.kind;
    const value = impliedBy(field, kind, column) ?? (areAddresses(column.values()) ? 'Email' : undefined);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

/** The value that the header implies for the other field; undefined: none, or the column's values contradict it. */
function impliedBy({ implied }: Field, kind: string | undefined, column: HeaderColumn): string | undefined {
  const value = kind === undefined ? undefined : implied?.values[kind];
  if (value === undefined || !implied?.ifAddresses?.includes(kind ?? '')) return value;
  const values = column.values();
  return values.length === 0 || areAddresses(values) ? value : undefined;
}
