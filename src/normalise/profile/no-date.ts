import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../../domain/row.js';
import type { Operation } from '../../operations/operation.js';
import { type FoundHeader, fieldOf } from '../mapping/find-header.js';
import { issueOf, shown } from '../values/reading.js';
import { isPlaceholder, trimText } from '../values/trim-text.js';

/**
 * The judge of rows whose date of completion is empty, or says that there is none ("-"), for a source whose rows without a date
 * are people who have not completed. null: there is a date, readable or not; or the source has another rule, or another cell, a
 * status, decides.
 */
export function createNoDateJudge(
  operation: Operation,
  source: Pick<SourceConfig, 'defaults' | 'noDate'>,
  header: FoundHeader,
): (row: Row) => Issue | null {
  const dated = operation.fields.find(({ kind, required }) => kind === 'timestamp' && required);
  const date = dated && header.match.mapped[dated.name];
  if (!date || source.noDate !== 'skipped' || source.defaults[dated.name] !== undefined) return () => null;
  const { index: status } = fieldOf('status', operation, header);
  return ({ cells }) => {
    const cell = cells[date.index];
    if (!saysNothing(cell)) return null;
    return status !== -1 && !isBlankCell(cells[status]) ? null : noDate(date.header, cell);
  };
}

/** The remedy for rows without a value of this field, where it is more than to fill it in; null: none. */
export function noDateRemedy(operation: Operation, fieldName: string, header: FoundHeader): string | null {
  const field = operation.fields.find(({ name }) => name === fieldName);
  if (field?.kind !== 'timestamp') return null;
  const otherwise =
    fieldOf('status', operation, header).index === -1
      ? '; or, where the file lists people who have not completed as well, say that rows without a date are those: noDate: skipped for the source in registrar.yaml'
      : '';
  return `fill it in the file${otherwise}`;
}

/** True for an empty cell and for what means one. */
export function saysNothing(cell: Cell | undefined): boolean {
  return isBlankCell(cell) || (typeof cell === 'string' && cell.length < 20 && isPlaceholder(trimText(cell)));
}

function noDate(column: string, cell: Cell | undefined): Issue {
  const value = isBlankCell(cell) ? null : shown(cellText(cell));
  const message = `${column} ${value === null ? 'is empty' : `"${value}" means no value`}, which the source takes for not completed`;
  const remedy =
    'nothing to do; if such rows should be looked at, set noDate: invalid for the source in registrar.yaml';
  return issueOf('date-empty', column, message, remedy, value);
}
