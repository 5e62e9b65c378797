import type { SourceConfig } from '../../config/schema.js';
import { type Issue, issueOf, type Refused, refused } from '../../domain/issue.js';
import {
  cellText,
  isBlankCell,
  isBlankRow,
  isUnsavedFormula,
  type Row,
  UNSAVED_FORMULA,
} from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { isRuler } from '../header/noise.js';
import { type ZoneNote, zoneNotesOf } from '../time/zone/zone-notes.js';
import { SAVE_VALUES, shown } from '../values/reading.js';
import { SAMPLE_ROWS } from './header-column.js';
import type { ColumnSource } from './map-field.js';
import { type HeaderMatch, matchHeaders } from './match-headers.js';

/** The header line of a drop and what its columns are. */
export interface FoundHeader {
  /** Its physical line or row number; the lines above it are preamble. */
  readonly line: number;
  /** The header's cells as text, from column A to the last one that holds anything. */
  readonly columns: readonly string[];
  readonly match: HeaderMatch;
  /** What the lines above it say about the zone of all times; absent where they were not read. */
  readonly zoneNotes?: readonly ZoneNote[];
}

/** A table with the rules by which its rows are read. */
export interface TableRules {
  readonly operation: Operation;
  readonly source: SourceConfig;
  readonly header: FoundHeader;
}

/** The header of a drop's first rows, or why none of them can be used as one. */
export type HeaderSearch = { readonly kind: 'found'; readonly header: FoundHeader } | Refused;

/** How many non-blank rows from the top may be the header; reports put titles and filters above it. */
const SEARCHED_ROWS = 30;

/**
 * Finds the header: the first of the top rows whose cells name the learner and the content of the operation.
 * Fields that the source gives in `defaults` count as named. `rows` are the first rows of the drop, some sixty.
 */
export function findHeader(rows: readonly Row[], operation: Operation, source: ColumnSource): HeaderSearch {
  const nonBlank = rows.filter(({ cells }) => !isBlankRow(cells) && !isRuler(cells));
  // A line of one cell is a title.
  const isTitle = ({ cells }: Row) => cells.filter((cell) => !isBlankCell(cell)).length <= 1;
  const searched = nonBlank.slice(0, SEARCHED_ROWS);
  const first = searched.find((row) => !isTitle(row)) ?? nonBlank[0];
  /** The line that names most fields; where none names any, the first that is no title. */
  let nearest: FoundHeader | null = null;
  let mistakes: readonly Issue[] = [];
  for (const [position, row] of searched.entries()) {
    const sample = nonBlank.slice(position + 1, position + 1 + SAMPLE_ROWS).map(({ cells }) => cells);
    const columns = headerCells(row);
    const candidate = { line: row.line, columns, match: matchHeaders(columns, operation, source, sample) };
    const isFound = isHeader(candidate.match, operation, source);
    const named = nearest === null ? 0 : namedCount(nearest);
    const isNearer = namedCount(candidate) > named || (nearest === null && row === first);
    if (!isFound && !isNearer) continue;
    nearest = candidate;
    // The column of an unreadable header may be the one that is missed.
    mistakes = [...unsavedHeaders(row), ...secondLine(candidate, nonBlank[position + 1], operation)];
    if (!isFound) continue;
    const problems = [...mistakes, ...candidate.match.problems];
    if (problems.length > 0) return refused(...problems);
    const zoneNotes = zoneNotesOf(nonBlank.slice(0, position));
    return { kind: 'found', header: { ...candidate, zoneNotes } };
  }
  return refused(...mistakes, ...noHeader(nearest, operation, source));
}

/**
 * True when the columns found name the learner and the content. A title line may hold one known word by chance: so the match
 * needs as many columns as there are fields to find.
 */
export function isHeader(match: HeaderMatch, operation: Operation, source: ColumnSource): boolean {
  const isNamed = (field: Field) =>
    match.mapped[field.name] !== undefined || match.ambiguous.includes(field.name);
  const isGiven = (field: Field) => source.defaults[field.name] !== undefined;
  const required = operation.fields.filter(
    (field) => field.required && !isGiven(field) && needsColumn(field),
  );
  return (
    operation.fields.filter(isKeyField).every((field) => isNamed(field) || isGiven(field)) &&
    namedCount({ match }) >= Math.max(1, Math.min(2, required.length))
  );
}

function headerCells(row: Row): readonly string[] {
  const last = row.cells.findLastIndex((cell) => !isBlankCell(cell));
  return row.cells.slice(0, last + 1).map(cellText);
}

/** The issue of headers that are formulas whose values the file doesn't hold: such a column may matter, whatever the others say. */
function unsavedHeaders({ line, cells }: Row): Issue[] {
  const columns = cells.flatMap((cell, index) => (isUnsavedFormula(cell) ? [index + 1] : []));
  if (columns.length === 0) return [];
  const message = `in line ${line} the header of column ${columns.slice(0, SHOWN_HEADERS).join(', ')} is ${UNSAVED_FORMULA}`;
  return [issueOf('header-missing', null, message, SAVE_VALUES)];
}

/**
 * The problem of a header whose names are split over two lines, as merged cells leave it: the line below names no learner and no
 * content, holds words alone, and one of them is where the header has a gap.
 */
function secondLine(
  { line, columns, match }: FoundHeader,
  below: Row | undefined,
  operation: Operation,
): Issue[] {
  if (below === undefined) return [];
  const keys = operation.fields.filter(isKeyField).flatMap(({ name }) => match.mapped[name]?.index ?? []);
  // Without a known column, the first column names the subject of a line; a line of one cell is a title.
  if (keys.length === 0 && columns.length < 2) return [];
  if ((keys.length > 0 ? keys : [0]).some((index) => !isBlankCell(below.cells[index]))) return [];
  const filled = below.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [{ cell, index }]));
  const isWords = filled.every(({ cell }) => typeof cell === 'string' && !/\d/.test(cell));
  const fillsGap = filled.some(({ index }) => (columns[index] ?? '').trim() === '');
  if (!isWords || !fillsGap) return [];
  const names = listed(filled.map(({ cell }) => cellText(cell)));
  const message = `the header in line ${line} seems to continue in line ${below.line} with ${names}: a column has two names, and which one counts is unclear`;
  const remedy =
    'have the file exported with one header line, without merged cells; or remove one of the two lines';
  return [issueOf('header-ambiguous', null, message, remedy)];
}

/** The fields that a record is about: a line of words without them is no header. */
function isKeyField(field: Field): boolean {
  return field.required === true && (field.kind === 'learner' || field.kind === 'identifier');
}

/** True for a field that only a column or a default can give. */
function needsColumn(field: Field): boolean {
  return field.fallback === undefined && field.implied === undefined;
}

function namedCount({ match }: Pick<FoundHeader, 'match'>): number {
  return Object.keys(match.mapped).length + match.ambiguous.length;
}

function noHeader(nearest: FoundHeader | null, operation: Operation, source: ColumnSource): Issue[] {
  const { mapped, problems } = nearest?.match ?? matchHeaders([], operation, source);
  const isMissing = ({ name, required }: Field) =>
    required && !mapped[name] && source.defaults[name] === undefined;
  const names = operation.fields.filter((field) => isMissing(field) && needsColumn(field));
  const place =
    nearest === null
      ? 'the file holds no rows'
      : `the ${namedCount(nearest) > 0 ? 'nearest' : 'first'} is line ${nearest.line} with ${listed(nearest.columns)}`;
  const message = `none of the first ${SEARCHED_ROWS} lines is a header with columns for ${names.map(({ name }) => name).join(', ')}; ${place}`;
  const remedy = problems.find(({ column }) => names.some(({ name }) => name === column))?.remedy;
  const stated = [
    ...Object.values(source.columns),
    ...operation.fields.flatMap(({ name, implied }) => (implied ? [name] : [])),
  ];
  return [
    issueOf(
      'header-missing',
      null,
      message,
      remedy === undefined ? 'correct the file' : `${remedy}, or correct the file`,
    ),
    ...problems.filter(({ column }) => column !== null && stated.includes(column)),
  ];
}

/** As many headers as a sentence bears. */
const SHOWN_HEADERS = 20;

function listed(headers: readonly string[]): string {
  const names = headers.filter((header) => header.trim() !== '').slice(0, SHOWN_HEADERS);
  return names.map((name) => `"${shown(name)}"`).join(', ');
}

/** The operation's first field of a kind, and its column: `index` is -1 where it has none. */
export function fieldOf(
  kind: Field['kind'],
  { operation, header }: Pick<TableRules, 'operation' | 'header'>,
) {
  const name = operation.fields.find((field) => field.kind === kind)?.name ?? null;
  const column = name === null ? undefined : header.match.mapped[name];
  return { name, column: column ?? null, index: column?.index ?? -1, label: column?.header ?? name ?? '' };
}
