import type { Issue } from '../domain/issue.js';
import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import type { FoundHeader } from './header/find-header.js';
import { isRuler, isTotalOrFooter } from './header/noise.js';
import type { ColumnSource } from './mapping/map-field.js';
import { createTableWatch } from './other-table.js';
import { shown } from './reading.js';

/** Why a row is no data of the table: `invalid` where a person should look at it. */
export interface NonData {
  readonly disposition: 'non-data' | 'invalid';
  readonly issue: Issue;
}

/** Distinguishes data from the rest of a drop. It is asked about every row that is not blank, in file order. */
export interface NonDataJudge {
  /**
   * Preamble, header, repeated header, ruler, row of another table, or what is known to be a note; null for a row that may be data.
   */
  judge(row: Row, isNote?: boolean): NonData | null;
  /** Asked about a row that turned out to be no record: a total, a note, a header of this table or another. */
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
  const required = operation.fields.filter((field) => field.required);
  const columnsOf = (fields: readonly Field[]) =>
    fields.flatMap((field) => header.match.mapped[field.name]?.index ?? []);
  const columns = {
    learners: columnsOf(required.filter(({ kind }) => kind === 'learner')),
    times: columnsOf(required.filter(({ kind }) => kind === 'timestamp')),
    required: columnsOf(required),
  };
  const tables = createTableWatch(operation, header, source);
  const repeats = (row: Row) =>
    noData('row-repeats-header', row, `repeats the header of line ${header.line}`);
  // Notes follow one another: a row below a blank line that is no record, and the rows below it.
  let isSeparate = false;
  let isBelowNote = false;

  return {
    judge: (row, isNote = false) => {
      const isBelow = isBelowNote;
      isBelowNote = false;
      if (row.line <= header.line) {
        const place = row.line === header.line ? 'is the header' : 'stands above the header';
        tables.pass(row);
        return noData('row-preamble', row, place);
      }
      if (isNote) {
        tables.pass(row);
        tables.passNote();
        isBelowNote = true;
        return note(row);
      }
      if (names.every(({ index, text }) => isSameText(row, index, text))) {
        tables.comeBack(row);
        return repeats(row);
      }
      const other = tables.current();
      if (other) return ofOtherTable(row, other);
      isSeparate = tables.pass(row) || isBelow;
      if (!isRuler(row.cells)) return null;
      isBelowNote = true;
      return noData('row-ruler', row, 'is a ruler or the mark of an end');
    },
    judgeRefused: (row) => {
      if (isTotalOrFooter(row, columns)) {
        isBelowNote = true;
        return noData('row-total', row, 'is a total or a footer');
      }
      const found = tables.headerAt(row);
      if (found !== null) return found === 'this' ? repeats(row) : ofOtherTable(row, found);
      if (!isSeparate) return null;
      if (isLoneNote(row, mapped, columns.required)) {
        tables.passNote();
        isBelowNote = true;
        return note(row);
      }
      isBelowNote = columns.required.some((index) => isBlankCell(row.cells[index]));
      return null;
    },
  };
}

/**
 * True for words in one cell alone, although a record needs other cells too; in a column of the record there must be several
 * words, for one may be a learner's name. Also true for a name with a colon and its value beside it: "Exported by:", "Ann Lee".
 */
function isLoneNote(
  row: Row,
  mapped: readonly { readonly index: number }[],
  required: readonly number[],
): boolean {
  const filled = row.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [index]));
  const [first, second] = filled;
  if (first === undefined || filled.length > 2) return false;
  if (required.every((index) => filled.includes(index))) return false;
  const cell: Cell | undefined = row.cells[first];
  if (typeof cell !== 'string' || cell.includes('@') || !/\p{L}/u.test(cell)) return false;
  if (second !== undefined) return /:\s*$/.test(cell);
  return mapped.every(({ index }) => index !== first) || /\S\s+\S|:\s*$/u.test(cell);
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

function note(row: Row): NonData {
  return noData('row-note', row, 'is a title or a note that stands alone');
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
