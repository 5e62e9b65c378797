import { type Issue, issueOf } from '../domain/issue.js';
import { once } from '../domain/process/once.js';
import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Field } from '../operations/operation.js';
import { headerKey, normaliseHeader } from './header/header-text.js';
import { isRuler, isTotalOrFooter, type RecordColumns } from './header/noise.js';
import { isHeader, type TableRules } from './mapping/find-header.js';
import { aliasMatches } from './mapping/header-aliases.js';
import { matchHeaders } from './mapping/match-headers.js';
import { shown } from './values/reading.js';

/** Why a row is no data of the table: `invalid` where a person should look at it. */
interface NonData {
  readonly disposition: 'non-data' | 'invalid';
  /** Exactly one. */
  readonly issues: readonly Issue[];
}

/**
 * Distinguishes data from the rest of one drop. Below the header of another table no row is data, until the drop's own header is
 * repeated or another sheet begins. `judge` is called for every row that is not blank, in file order; null for one that may be data.
 * `judgeRefused` is called for a row that turned out to be no record: a total, a note, a header of this table or another.
 */
export function createNonDataJudge(rules: TableRules) {
  const { operation, header } = rules;
  const mapped = Object.values(header.match.mapped);
  const required = operation.fields.filter((field) => field.required);
  const columnsOf = (...kinds: readonly Field['kind'][]) =>
    required.flatMap(({ name, kind }) =>
      kinds.length === 0 || kinds.includes(kind) ? (header.match.mapped[name]?.index ?? []) : [],
    );
  const columns = {
    learners: columnsOf('learner'),
    times: columnsOf('timestamp'),
    named: columnsOf('learner', 'identifier', 'timestamp'),
    required: columnsOf(),
  };
  const headerOf = createHeaderFinder(rules, columns);
  const repeats = (row: Row) =>
    noData('row-repeats-header', row, `repeats the header of line ${header.line}`);
  /** The header of the other table that the rows are below; null while they belong to the table that is read. */
  let other: Row | null = null;
  let last: Row | null = null;
  /** Whether the row before was no data, and whether this one is below such a row or a blank line: then a note or a table may begin. */
  let isAboveNoData = false;
  let isApart = false;

  return {
    judge: (row: Row, isNote: boolean): NonData | null => {
      if (last !== null && row.line <= last.line) other = null;
      isApart = isAboveNoData || (last !== null && row.line > lastLineOf(last) + 1);
      last = row;
      isAboveNoData = isNote;
      if (row.line <= header.line) {
        const isHeader = row.line === header.line;
        return noData('row-preamble', row, isHeader ? 'is the header' : 'is above the header');
      }
      if (isNote) return note(row);
      if (mapped.every(({ index, header }) => cellText(row.cells[index]).trim() === header.trim())) {
        other = null;
        return repeats(row);
      }
      if (other) return ofOtherTable(row, other);
      if (!isRuler(row.cells)) return null;
      isAboveNoData = true;
      return noData('row-ruler', row, 'is a ruler or an end-of-file mark');
    },
    judgeRefused: (row: Row): NonData | null => {
      if (isTotalOrFooter(row, columns)) {
        isAboveNoData = true;
        return noData('row-total', row, 'is a total or a footer');
      }
      const header = headerOf(row, isApart);
      if (header === 'own') return repeats(row);
      if (header === 'other') {
        other = row;
        return ofOtherTable(row, row);
      }
      if (!isApart || !isLoneNote(row, mapped, columns.required)) return null;
      isAboveNoData = true;
      return note(row);
    },
  };
}

/** Text within quotes may hold line ends. */
function lastLineOf({ line, cells }: Row): number {
  const ends = cells.flatMap((cell) => (typeof cell === 'string' ? (cell.match(/\r\n|\n|\r/g) ?? []) : []));
  return line + ends.length;
}

/**
 * True for words in one cell alone; in a column of the record several, for one may be a learner's name. Also for a name with a colon and
 * its value beside it: "Exported by:", "Ann Lee".
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

function ofOtherTable(row: Row, header: Row): NonData {
  const names = header.cells.filter((cell) => !isBlankCell(cell)).slice(0, 3);
  const table = `of another table (${names.map((name) => `"${shown(cellText(name))}"`).join(', ')})`;
  const message =
    row.line === header.line
      ? `line ${row.line} is the header ${table}`
      : `line ${row.line} is below the header ${table} in line ${header.line}`;
  const remedy = `export one table per file, delete line ${header.line} and the rows below it from the file, or dismiss them`;
  return { disposition: 'invalid', issues: [issue('row-other-table', row, message, remedy)] };
}

function note(row: Row): NonData {
  return noData('row-note', row, 'is a title or a note by itself');
}

function noData(code: Issue['code'], row: Row, because: string): NonData {
  return { disposition: 'non-data', issues: [issue(code, row, `line ${row.line} ${because}, not data`)] };
}

function issue(code: Issue['code'], row: Row, message: string, remedy = 'nothing to do'): Issue {
  const text = row.cells.filter((cell) => !isBlankCell(cell)).map(cellText);
  return issueOf(code, null, message, remedy, shown(text.slice(0, 5).join(' ')));
}

/**
 * The function that recognises headers among the rows that turned out to be no records: `own` is the drop's own header in another
 * notation, `other` the header of another table, null a row of data. A header has several different texts, no address among the
 * learners and no digit among the times. That of another table names what a record is about; or shares two names with the drop's
 * own, either half of its texts or without a digit in any; or is apart and has words without a digit for learner, content and time.
 */
function createHeaderFinder(
  { operation, source, header }: TableRules,
  { learners, times, named }: RecordColumns,
): (row: Row, isApart: boolean) => 'own' | 'other' | null {
  // A number is no name that tables share: if the first row of data was taken for the header, other rows have the number too.
  const names = once(() => new Set(header.columns.map(headerKey).filter((name) => /\p{L}/u.test(name))));
  const mapped = Object.values(header.match.mapped);

  return ({ cells }, isApart) => {
    const words = cells.filter((cell) => !isBlankCell(cell));
    if (words.length < 2 || new Set(words).size < words.length) return null;
    const texts = words.filter((cell) => typeof cell === 'string');
    if (texts.length < words.length) return null;
    if (learners.some((index) => cellText(cells[index]).includes('@'))) return null;
    if (times.some((index) => /\d/.test(cellText(cells[index])))) return null;
    const repeats = mapped.every(
      (column) => headerKey(cellText(cells[column.index])) === headerKey(column.header),
    );
    if (repeats) return 'own';
    const shared = texts.filter((word) => names().has(headerKey(word))).length;
    if (shared >= 2 && (shared * 2 >= texts.length || !texts.some((word) => /\d/.test(word)))) return 'other';
    if (namesRecord(texts, cells)) return 'other';
    const isOfWords = named.every((index) => /^\D*\p{L}\D*$/u.test(cellText(cells[index])));
    return isApart && times.length > 0 && isOfWords ? 'other' : null;
  };

  function namesRecord(words: readonly string[], cells: readonly Cell[]): boolean {
    // Few refused rows name a field, and matching one with all known headers takes longer than all other work.
    if (!words.some((word) => aliasMatches(normaliseHeader(word).text, operation).length > 0)) return false;
    const match = matchHeaders(cells.map(cellText), operation, source);
    const count = Object.keys(match.mapped).length + match.ambiguous.length;
    return count >= 2 && isHeader(match, operation, source);
  }
}
