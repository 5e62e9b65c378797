import type { FieldValue } from '../domain/record.js';
import { type Cell, cellText, isBlankCell, isBlankRow, isUnsavedFormula, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './mapping/find-header.js';
import { type FieldPlan, fieldPlans, type RowSource } from './normalise-row.js';
import { NO_PROFILE } from './profile/profile.js';

/**
 * Judges rows without a header by the header of another table: whether they could be records of that table. `alike` are rows of
 * that table. A row could be one where it is about as wide and its cells can be read in all columns that a record needs: a time
 * as a time, an identifier as one similar to the table's (numbers, codes or words). Where a record needs neither a time nor an
 * address, identifiers must have exactly the form of one of the table's.
 */
export function likelyRecords(
  operation: Operation,
  source: RowSource,
  header: FoundHeader,
  alike: readonly Row[],
): (row: Row) => boolean {
  const plans = fieldPlans(operation, source, header, { ...NO_PROFILE, isWhole: false }, LATER);
  const needed = plans.filter(({ required, index }) => required && index !== -1);
  const kindOf = new Map(operation.fields.map(({ name, kind }) => [name, kind]));
  const data = alike.filter((row) => row.line > header.line && !isBlankRow(row.cells));
  const isTimed = needed.some(({ name }) => kindOf.get(name) === 'timestamp');
  const formOf = isTimed ? kindOfText : exactForm;
  const isIdentifier = ({ name }: FieldPlan) => kindOf.get(name) !== 'timestamp';
  const forms = new Map(
    needed
      .filter(isIdentifier)
      .map(({ name, index }) => [name, new Set(data.map(({ cells }) => formOf(cells[index])))]),
  );
  const width = median(data.map(({ cells }) => filled(cells)));
  return ({ cells }) => {
    if (cells.slice(header.columns.length).some((cell) => !isBlankCell(cell))) return false;
    if (filled(cells) * 2 < width) return false;
    const fields: Record<string, FieldValue> = {};
    for (const { name, index, read, otherwise } of plans) {
      const reading = index === -1 ? (otherwise?.(fields) ?? null) : read(cells[index], fields);
      if (reading !== null && 'value' in reading && reading.value !== null) fields[name] = reading.value;
    }
    return needed.every((plan) => {
      const cell = cells[plan.index];
      if (isUnsavedFormula(cell)) return true;
      if (isIdentifier(plan))
        return fields[plan.name] !== undefined && forms.get(plan.name)?.has(formOf(cell));
      return isTime(plan, cell);
    });
  };
}

/** The callers don't know the present time, and a future date is a date. */
const LATER = Date.UTC(9999, 0);

/** True for a time, also for one whose value is refused: out of range, or in an order that isn't known. */
export function isTime({ read }: Pick<FieldPlan, 'read'>, cell: Cell | undefined): boolean {
  const reading = read(cell, {});
  return 'value' in reading ? reading.value !== null : reading.issue.code !== 'timestamp-invalid';
}

function filled(cells: readonly Cell[]): number {
  return cells.filter((cell) => !isBlankCell(cell)).length;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

function kindOfText(cell: Cell | undefined): string {
  const text = cellText(cell).trim();
  if (text.includes('@')) return 'address';
  if (/^[\d\s.,+-]+$/.test(text)) return 'number';
  return /\s/.test(text) ? 'words' : 'code';
}

function exactForm(cell: Cell | undefined): string {
  const text = cellText(cell).trim();
  if (text.includes('@')) return 'address';
  return text.replace(/\d/g, '9').replace(/\p{L}/gu, 'a');
}
