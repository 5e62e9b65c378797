import { type Issue, issueOf } from '../domain/issue.js';
import type { FieldValue } from '../domain/record.js';
import { type Cell, cellText, isBlankCell, isBlankRow, isUnsavedFormula, type Row } from '../domain/row.js';
import { agreeing, countOf } from '../domain/text/count-of.js';
import type { Operation } from '../operations/operation.js';
import type { RowSource } from './field-reader.js';
import type { FoundHeader } from './mapping/find-header.js';
import { fieldPlans } from './normalise-row.js';
import { NO_PROFILE } from './profile/profile.js';
import { shown } from './values/reading.js';

/**
 * Judges by the rows below a header whether rows elsewhere could be records of the same table. `alike` are
 * rows of that table. A row could be one where it is about as wide and its cells can be read in all columns that a record needs: a
 * time as a time, an identifier as one similar to the table's (numbers, codes or words). Where a record needs no time, identifiers
 * must have the form of one of the table's, figures or an address among them.
 * @param place `above`: the rows are above the header of the table itself. There a time distinguishes them from a title, so that
 *   the form of identifiers doesn't count, and the table may have no rows below its header.
 */
export function likelyRecords(
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
  alike: readonly Row[],
  place: 'elsewhere' | 'above' = 'elsewhere',
): (row: Row) => boolean {
  const plans = fieldPlans(operation, source, {
    header,
    profile: { ...NO_PROFILE, isWhole: false },
    nowMs: LATER,
  });
  const timed = new Set(operation.fields.filter(({ kind }) => kind === 'timestamp').map(({ name }) => name));
  const needed = plans.filter(({ required, index }) => required && index !== -1);
  const data = alike.filter((row) => row.line > header.line && !isBlankRow(row.cells));
  const isTimed = needed.some(({ name }) => timed.has(name));
  const formOf = isTimed ? kindOf : exactForm;
  const isAnyForm = place === 'above' && (isTimed || data.length === 0);
  const forms = new Map(
    needed.map(({ name, index }) => [name, new Set(data.map(({ cells }) => formOf(cells[index])))]),
  );
  const width = median(data.map(({ cells }) => filled(cells)));
  return ({ cells }) => {
    if (cells.slice(header.columns.length).some((cell) => !isBlankCell(cell))) return false;
    if (needed.length === 0 || filled(cells) * 2 < width) return false;
    if (!isTimed && !needed.some(({ index }) => /[\d@]/.test(cellText(cells[index])))) return false;
    const fields: Record<string, FieldValue> = {};
    return plans.every(({ name, index, required, read, otherwise }) => {
      const cell = cells[index];
      if (isUnsavedFormula(cell)) return true;
      const reading = index === -1 ? (otherwise?.(fields) ?? null) : read(cell, fields);
      const value = reading !== null && 'value' in reading ? reading.value : null;
      if (value !== null) fields[name] = value;
      if (!required || index === -1) return true;
      // A time may be refused, as one out of range or in an order that isn't known.
      if (timed.has(name)) {
        return (
          value !== null ||
          (reading !== null && 'issue' in reading && reading.issue.code !== 'timestamp-invalid')
        );
      }
      return value !== null && (isAnyForm || forms.get(name)?.has(formOf(cell)) === true);
    });
  };
}

/**
 * Rows above the header that would be records under it, as in a table that was sorted together with its header: other rows above
 * a header are no data. null where there is none.
 * @param rows the first rows of the drop, including those above the header.
 */
export function dataAboveHeader(
  rows: readonly Row[],
  header: FoundHeader,
  operation: Operation,
  source: RowSource,
): Issue | null {
  const isLikely = likelyRecords(operation, source, header, rows, 'above');
  const above = rows.filter((row) => row.line < header.line && isLikely(row));
  const [first] = above;
  if (first === undefined) return null;
  const text = shown(
    first.cells
      .filter((cell) => !isBlankCell(cell))
      .map(cellText)
      .join(' '),
  );
  const message = `the header is line ${header.line}, and above it ${agreeing(above.length, 'is', 'are')} ${countOf(above.length, 'row')} that would be ${agreeing(above.length, 'a record', 'records')} below it, the first in line ${first.line} ("${text}"): the table was probably sorted together with its header`;
  const remedy = 'put the header into line 1, or sort the table again with "My data has headers" switched on';
  return issueOf('data-above-header', null, message, remedy, text);
}

/** The callers don't know the present time, and a future date is a date. */
const LATER = Date.UTC(9999, 0);

function filled(cells: readonly Cell[]): number {
  return cells.filter((cell) => !isBlankCell(cell)).length;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function kindOf(cell: Cell | undefined): string {
  const text = cellText(cell).trim();
  if (text.includes('@')) return 'address';
  if (/^[\d\s.,+-]+$/.test(text)) return 'number';
  return /\s/.test(text) ? 'words' : 'code';
}

function exactForm(cell: Cell | undefined): string {
  const text = cellText(cell).trim();
  return text.includes('@') ? 'address' : text.replace(/\d+/g, '9').replace(/\p{L}+/gu, 'a');
}
