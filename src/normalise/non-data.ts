import type { Issue } from '../domain/issue.js';
import { cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './find-header.js';
import { shown } from './reading.js';

/** Says of a row that is not blank why it is no data: preamble, header, repeated header, total; null for data. */
export type NonDataJudge = (row: Row) => Issue | null;

/** The judge for one drop. */
export function createNonDataJudge(operation: Operation, header: FoundHeader): NonDataJudge {
  const mapped = Object.values(header.match.mapped);
  const names = mapped.map((column) => ({ index: column.index, text: column.header.trim() }));
  const required = operation.fields
    .filter((field) => field.required)
    .flatMap((field) => header.match.mapped[field.name]?.index ?? []);

  return (row) => {
    if (row.line <= header.line) {
      return issue(
        'row-preamble',
        row,
        row.line === header.line ? 'is the header' : 'stands above the header',
      );
    }
    if (names.every(({ index, text }) => isSameText(row, index, text))) {
      return issue('row-repeats-header', row, `repeats the header of line ${header.line}`);
    }
    return isTotal(row, required) ? issue('row-total', row, 'is a total or a footer') : null;
  };
}

/**
 * Words that begin a total or a footer. "total@…" and "Total-Safety" begin otherwise, and a row with the data
 * of a record is one whatever it begins with.
 */
const FOOTER =
  /^(?:(?:grand |sub-?)?totals?(?![@\w.-])|sum(?![@\w.-])|report generated|generated (?:on|by|at)|end of report|exported|page \d+)/i;

function isTotal(row: Row, required: readonly number[]): boolean {
  const first = row.cells.findIndex((cell) => !isBlankCell(cell));
  const cell = row.cells[first];
  if (typeof cell !== 'string' || !FOOTER.test(cell.trim())) return false;
  const filled = required.filter((index) => index !== first && !isBlankCell(row.cells[index])).length;
  return filled * 2 < Math.max(1, required.length);
}

function isSameText(row: Row, index: number, text: string): boolean {
  const cell = row.cells[index];
  return typeof cell === 'string' && cell.trim() === text;
}

function issue(code: Issue['code'], row: Row, because: string): Issue {
  const text = row.cells.filter((cell) => !isBlankCell(cell)).map(cellText);
  return {
    code,
    column: null,
    value: shown(text.slice(0, 5).join(' ')),
    message: `line ${row.line} ${because}, not data`,
    remedy: 'nothing to do',
  };
}
