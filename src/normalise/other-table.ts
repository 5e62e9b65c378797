import { builtInPresets } from '../config/presets/preset.js';
import { type Cell, cellText, isBlankCell, type Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { type FoundHeader, isHeader } from './header/find-header.js';
import { compactHeader, normaliseHeader } from './header/header-text.js';
import { knownHeaderKey } from './mapping/choose-preset.js';
import { aliasMatches } from './mapping/header-aliases.js';
import type { ColumnSource } from './mapping/map-field.js';
import { matchHeaders } from './mapping/match-headers.js';
import { copyOf } from './values/remembering.js';

/** A table below the one that is read. */
export interface OtherTable {
  /** Where its header is. */
  readonly line: number;
  /** True when its rows may be records too: it has the columns for them, or its header is in unknown words. */
  readonly isWanted: boolean;
}

/**
 * Notices where another table begins in a drop, by its rows in file order: the cells of the next table must not be read as the
 * columns of the first.
 */
export interface TableWatch {
  /** The other table of the current rows; null while they belong to the table that is read. */
  current(): OtherTable | null;
  /** Goes to the next row. @returns true when nothing, or only notes, stand between the row and a blank line. */
  pass(row: Row): boolean;
  /** The row is a note: the next row is as separate as the note itself. */
  passNote(): void;
  /** The row repeats the header of the table that is read: that table continues. */
  comeBack(row: Row): void;
  /**
   * The table that begins with this row as its header; from then on it is the current one. `this` for the header of the table
   * that is read, null for no header. Asked about a row that is no record.
   */
  headerAt(row: Row): OtherTable | 'this' | null;
}

/** The watch over one drop, at its header. */
export function createTableWatch(
  operation: Operation,
  header: FoundHeader,
  source: ColumnSource,
): TableWatch {
  // A number is no name that tables share: if the first row of data was taken for the header, other rows have the number too.
  const names = new Set(header.columns.map(nameOf).filter((name) => /\p{L}/u.test(name)));
  const mapped = Object.values(header.match.mapped).map(({ index, header: text }) => ({
    index,
    name: nameOf(text),
  }));
  const mayName = nameFinder(names, operation, source);
  const columnsOf = (kind: string) =>
    operation.fields
      .filter((field) => field.required && field.kind === kind)
      .flatMap((field) => header.match.mapped[field.name]?.index ?? []);
  const learners = columnsOf('learner');
  const times = columnsOf('timestamp');
  const required = [...learners, ...columnsOf('identifier'), ...times];

  let table: OtherTable | null = null;
  let last: Row | null = null;
  let isSeparate = false;
  let isBelowNote = false;

  return {
    current: () => table,
    pass: (row) => {
      const isBelowBlank = last !== null && row.line > last.line + 1 && row.line > lastLineOf(last) + 1;
      isSeparate = isBelowBlank || isBelowNote;
      isBelowNote = false;
      last = row;
      return isSeparate;
    },
    passNote: () => {
      isBelowNote = true;
    },
    comeBack: (row) => {
      table = null;
      last = row;
    },
    headerAt: (row) => {
      if (holdsData(row, learners, times)) return null;
      const words = row.cells.filter((cell) => !isBlankCell(cell));
      if (words.length < 2 || !areDistinctTexts(words)) return null;
      if (mapped.every(({ index, name }) => nameOf(cellText(row.cells[index])) === name)) return 'this';
      // Nearly no refused row names a field, and matching a row with all known headers takes longer than all other work.
      table = (words.some(mayName) ? knownHeader(row, words) : null) ?? unknownHeader(row);
      return table;
    },
  };

  /**
   * Half of its names are in the first header too, or it names two fields of a record. Two shared names among others could be the
   * words of a refused row: a person decides that.
   */
  function knownHeader(row: Row, words: readonly string[]): OtherTable | null {
    const shared = words.filter((word) => names.has(nameOf(word))).length;
    const match = matchHeaders(row.cells.map(cellText), operation, source);
    const isWanted = isHeader(match, operation, source);
    const isNamed = isWanted && Object.keys(match.mapped).length + match.ambiguous.length >= 2;
    if (isNamed || (shared >= 2 && shared * 2 >= words.length)) return { line: row.line, isWanted };
    return shared >= 2 && !words.some((word) => /\d/.test(word)) ? { line: row.line, isWanted: true } : null;
  }

  /** Below a blank line: only words, in every column of a record, the time's column included. */
  function unknownHeader(row: Row): OtherTable | null {
    const isHeaderLike =
      isSeparate &&
      times.length > 0 &&
      required.every((index) => /^\D*\p{L}\D*$/u.test(cellText(row.cells[index])));
    return isHeaderLike ? { line: row.line, isWanted: true } : null;
  }
}

/** True where the record's columns hold values that no header has: an address, a figure in the time. */
function holdsData({ cells }: Row, learners: readonly number[], times: readonly number[]): boolean {
  return (
    learners.some((index) => cellText(cells[index]).includes('@')) ||
    times.some((index) => /\d/.test(cellText(cells[index])))
  );
}

/**
 * Recognises words that could be the header of a field, or are one of these names; the same few words are asked about again and
 * again.
 */
function nameFinder(
  names: ReadonlySet<string>,
  operation: Operation,
  source: ColumnSource,
): (word: string) => boolean {
  const configured = Object.values(source.columns).flatMap((header) =>
    header === null ? [] : nameOf(header),
  );
  const own = new Set([...names, ...configured]);
  return (word) => {
    const name = nameOf(word);
    if (own.has(name) || presetNames().has(name)) return true;
    return aliasMatches(normalisedHeader(word), operation).length > 0;
  };
}

let namesOfPresets: ReadonlySet<string> | null = null;

/** The header names of all presets. */
function presetNames(): ReadonlySet<string> {
  namesOfPresets ??= new Set(
    builtInPresets().flatMap(({ columns }) =>
      Object.values(columns).flatMap((headers) => (headers ?? []).map(knownHeaderKey)),
    ),
  );
  return namesOfPresets;
}

function nameOf(header: string): string {
  return compactHeader(normalisedHeader(header));
}

/** `normaliseHeader` of a word, cached: it costs more than all other questions about a refused row. */
function normalisedHeader(word: string): string {
  const known = NORMALISED.get(word);
  if (known !== undefined) return known;
  const { text } = normaliseHeader(word);
  if (word.length > LONGEST_WORD) return text;
  if (NORMALISED.size === MOST_WORDS) NORMALISED.clear();
  NORMALISED.set(copyOf(word), text);
  return text;
}

const MOST_WORDS = 1_024;
/** Longer ones hardly repeat. */
const LONGEST_WORD = 128;
const NORMALISED = new Map<string, string>();

function areDistinctTexts(cells: readonly Cell[]): cells is readonly string[] {
  return cells.every((cell) => typeof cell === 'string') && new Set(cells).size === cells.length;
}

/** The line that a row ends on: text within quotes may hold line ends. */
function lastLineOf({ line, cells }: Row): number {
  const ends = cells.flatMap((cell) => (typeof cell === 'string' ? (cell.match(/\r\n|\n|\r/g) ?? []) : []));
  return line + ends.length;
}
