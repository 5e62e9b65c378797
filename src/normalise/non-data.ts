import type { Issue } from '../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import type { FoundHeader } from './find-header.js';
import type { ColumnSource } from './match-headers.js';
import { createTableWatch } from './other-table.js';
import { shown } from './reading.js';

/** Why a row is no data of the table: `invalid` where a person should look at it. */
export interface NonData {
  readonly disposition: 'non-data' | 'invalid';
  readonly issue: Issue;
}

/** Tells data from the rest of a drop. It is asked about every row that is not blank, in file order. */
export interface NonDataJudge {
  /** Preamble, header, repeated header, total, note, row of another table; null for what may be data. */
  judge(row: Row): NonData | null;
  /** Asked about a row that turned out to be no record: whether it is a header, of this table or another. */
  judgeRefused(row: Row): NonData | null;
}

/** The judge for one drop. */
export function createNonDataJudge(
  operation: Operation,
  header: FoundHeader,
  source: ColumnSource,
): NonDataJudge {
  const mapped = Object.values(header.match.mapped);
  const names = mapped.map((column) => ({ index: column.index, text: column.header.trim() }));
  const required = operation.fields
    .filter((field) => field.required)
    .flatMap((field) => header.match.mapped[field.name]?.index ?? []);
  const tables = createTableWatch(operation, header, source);
  const repeats = (row: Row) =>
    noData('row-repeats-header', row, `repeats the header of line ${header.line}`);

  return {
    judge: (row) => {
      if (row.line <= header.line) {
        const place = row.line === header.line ? 'is the header' : 'stands above the header';
        tables.pass(row);
        return noData('row-preamble', row, place);
      }
      if (names.every(({ index, text }) => isSameText(row, index, text))) {
        tables.comeBack(row);
        return repeats(row);
      }
      const other = tables.current();
      if (other) return ofOtherTable(row, other);
      if (isTotal(row, required)) {
        tables.pass(row);
        return noData('row-total', row, 'is a total or a footer');
      }
      const isSeparate = tables.pass(row);
      return isSeparate && isNote(row, mapped, required) ? note(row) : null;
    },
    judgeRefused: (row) => {
      const found = tables.headerAt(row);
      if (found === null) return null;
      return found === 'this' ? repeats(row) : ofOtherTable(row, found);
    },
  };

  function note(row: Row): NonData {
    tables.passNote();
    return noData('row-note', row, 'is a title or a note that stands alone');
  }
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

/**
 * Words in one cell alone, although a record needs others too. In a column of the record they must be several: one
 * may be a learner's name.
 */
function isNote(
  row: Row,
  mapped: readonly { readonly index: number }[],
  required: readonly number[],
): boolean {
  const filled = row.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [index]));
  const [only] = filled;
  if (only === undefined || filled.length > 1 || required.every((index) => index === only)) return false;
  const cell: Cell | undefined = row.cells[only];
  if (typeof cell !== 'string' || cell.includes('@') || !/\p{L}/u.test(cell)) return false;
  return mapped.every(({ index }) => index !== only) || /\S\s+\S/u.test(cell);
}

function isSameText(row: Row, index: number, text: string): boolean {
  const cell = row.cells[index];
  return typeof cell === 'string' && cell.trim() === text;
}

function ofOtherTable(row: Row, table: { readonly line: number; readonly isWanted: boolean }): NonData {
  const because =
    row.line === table.line
      ? 'is the header of another table'
      : `belongs to another table, whose header is line ${table.line}`;
  if (!table.isWanted) return noData('row-other-table', row, because);
  return {
    disposition: 'invalid',
    issue: {
      ...issue('row-other-table', row, `line ${row.line} ${because}`),
      remedy: 'drop that table as a file of its own, or take it out of this one',
    },
  };
}

function noData(code: Issue['code'], row: Row, because: string): NonData {
  return { disposition: 'non-data', issue: issue(code, row, `line ${row.line} ${because}, not data`) };
}

function issue(code: Issue['code'], row: Row, message: string): Issue {
  const text = row.cells.filter((cell) => !isBlankCell(cell)).map(cellText);
  return {
    code,
    column: null,
    value: shown(text.slice(0, 5).join(' ')),
    message,
    remedy: 'nothing to do',
  };
}
