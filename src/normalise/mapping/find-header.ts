import { type Issue, issueOf } from '../../domain/issue.js';
import { cellText, isBlankCell, isBlankRow, isUnsavedFormula, type Row } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { isRuler } from '../header/noise.js';
import { shown } from '../values/reading.js';
import { type PreambleFacts, preambleFacts } from './header-aliases.js';
import { SAMPLE_ROWS, toColumn } from './header-column.js';
import type { ColumnSource } from './map-field.js';
import { type HeaderMatch, matchHeaders, twoHeaderLines, unsavedHeader } from './match-headers.js';
import { missingRemedy } from './missing-fields.js';

/** The header line of a drop and what its columns are. */
export interface FoundHeader {
  /** Its physical line or row number; the lines above it are preamble. */
  readonly line: number;
  /** The header's cells as text, from column A to the last one that holds anything. */
  readonly columns: readonly string[];
  readonly match: HeaderMatch;
  /** What the lines above it say about all rows; absent where they were not read. */
  readonly preamble?: PreambleFacts;
}

/** The header of a drop's first rows, or why none of them can be used as one; `issues` is empty without rows. */
export type HeaderSearch =
  | { readonly kind: 'found'; readonly header: FoundHeader }
  | { readonly kind: 'none'; readonly issues: readonly Issue[] };

/** How many non-blank rows from the top may be the header; reports put titles and filters above it. */
const SEARCHED_ROWS = 30;

/**
 * Finds the header: the first of the top rows whose cells name the learner and the content of the operation.
 * Fields that the source gives in `defaults` count as named. `rows` are the first rows of the drop, some sixty.
 */
export function findHeader(rows: readonly Row[], operation: Operation, source: ColumnSource): HeaderSearch {
  let best: FoundHeader | null = null;
  let goesOn: Issue | null = null;
  const nonBlank = rows.filter(({ cells }) => !isBlankRow(cells) && !isRuler(cells));
  for (const [position, row] of nonBlank.slice(0, SEARCHED_ROWS).entries()) {
    const sample = nonBlank.slice(position + 1, position + 1 + SAMPLE_ROWS).map(({ cells }) => cells);
    const columns = headerCells(row);
    const candidate = { line: row.line, columns, match: matchHeaders(columns, operation, source, sample) };
    if (isHeader(candidate.match, operation, source)) {
      goesOn = secondLine(candidate, nonBlank[position + 1], operation);
      const problems = [...unsavedHeaders(row), ...(goesOn ? [goesOn] : []), ...candidate.match.problems];
      if (problems.length > 0) return { kind: 'none', issues: problems };
      const preamble = preambleFacts(nonBlank.slice(0, position));
      return { kind: 'found', header: { ...candidate, preamble } };
    }
    const isBetter = namedCount(candidate.match) > (best === null ? 0 : namedCount(best.match));
    if (isBetter) best = candidate;
    if (isBetter || position === 0) goesOn = secondLine(candidate, nonBlank[position + 1], operation);
  }
  // The column of an unreadable header may be the one that is missed.
  const nearest: FoundHeader | null = best;
  const likely = [nearest, firstThatIsNoTitle(nonBlank)].flatMap((row) => row?.line ?? []);
  const configured = Object.values(source.columns);
  const types = operation.fields.filter(({ implied }) => implied !== undefined).map(({ name }) => name);
  const mistaken = best?.match.problems.filter(
    ({ column }) => column !== null && (configured.includes(column) || types.includes(column)),
  );
  const issues = [
    ...nonBlank.flatMap((row) => (likely.includes(row.line) ? unsavedHeaders(row) : [])),
    ...(goesOn ? [goesOn] : []),
    noHeader(best, nonBlank, operation, source),
    ...(mistaken ?? []),
  ];
  return { kind: 'none', issues };
}

/**
 * True when the columns found name the learner and the content. A title line may hold one known word by chance: so the match
 * needs as many columns as there are fields to find.
 */
export function isHeader(match: HeaderMatch, operation: Operation, source: ColumnSource): boolean {
  const isNamed = (field: Field) =>
    match.mapped[field.name] !== undefined || match.ambiguous.includes(field.name);
  const isGiven = (field: Field) => source.defaults[field.name] !== undefined;
  const wanted = operation.fields.filter((field) => field.required && !isGiven(field) && isSought(field));
  return (
    operation.fields.filter(isKeyField).every((field) => isNamed(field) || isGiven(field)) &&
    namedCount(match) >= Math.max(1, Math.min(2, wanted.length))
  );
}

function headerCells(row: Row): readonly string[] {
  const last = row.cells.findLastIndex((cell) => !isBlankCell(cell));
  return row.cells.slice(0, last + 1).map(cellText);
}

/** The issues of unreadable headers: the column of such a header may matter, whatever the other headers say. */
function unsavedHeaders(row: Row): Issue[] {
  const columns = row.cells.flatMap((cell, index) => (isUnsavedFormula(cell) ? [index + 1] : []));
  return columns.length === 0 ? [] : [unsavedHeader(row.line, columns)];
}

function firstThatIsNoTitle(rows: readonly Row[]): Row | undefined {
  return rows.find(({ cells }) => cells.filter((cell) => !isBlankCell(cell)).length > 1);
}

/**
 * The problem of a header whose names are split over two lines, as merged cells leave it: the line below names no learner and no
 * content, holds words alone, and one of them is where the header has a gap.
 */
function secondLine(
  { line, columns, match }: FoundHeader,
  below: Row | undefined,
  operation: Operation,
): Issue | null {
  if (below === undefined) return null;
  const keys = operation.fields.filter(isKeyField).flatMap(({ name }) => match.mapped[name]?.index ?? []);
  // Without a known column, the first column names the subject of a line; a line of one cell is a title.
  if (keys.length === 0 && columns.length < 2) return null;
  if ((keys.length > 0 ? keys : [0]).some((index) => !isBlankCell(below.cells[index]))) return null;
  const filled = below.cells.flatMap((cell, index) => (isBlankCell(cell) ? [] : [{ cell, index }]));
  const isWords = filled.every(({ cell }) => typeof cell === 'string' && !/\d/.test(cell));
  const fillsGap = filled.some(({ index }) => (columns[index] ?? '').trim() === '');
  if (!isWords || !fillsGap) return null;
  const names = filled.map(({ cell }) => cellText(cell));
  return twoHeaderLines(line, below.line, names);
}

/** The fields that a record is about: a line of words without them is no header. */
function isKeyField(field: Field): boolean {
  return field.required === true && (field.kind === 'learner' || field.kind === 'identifier');
}

/** Fields that only a column or a default can give. */
function isSought(field: Field): boolean {
  return field.fallback === undefined && field.implied === undefined;
}

function namedCount(match: HeaderMatch): number {
  return Object.keys(match.mapped).length + match.ambiguous.length;
}

function noHeader(
  best: FoundHeader | null,
  rows: readonly Row[],
  operation: Operation,
  source: ColumnSource,
): Issue {
  const { mapped = {}, preset = null } = best?.match ?? {};
  const missing = operation.fields.filter(
    (field) =>
      field.required && isSought(field) && !mapped[field.name] && source.defaults[field.name] === undefined,
  );
  const first = rows[0];
  const nearest = best ?? (first ? { line: first.line, columns: headerCells(first) } : null);
  const headers = nearest?.columns.flatMap((header) => (header.trim() === '' ? [] : [`"${shown(header)}"`]));
  const place =
    nearest === null
      ? 'the file holds no rows'
      : `the ${best ? 'nearest is' : 'first is'} line ${nearest.line} with ${headers?.slice(0, 20).join(', ')}`;
  const names = missing.map((field) => field.name).join(', ');
  const message = `none of the first ${SEARCHED_ROWS} lines is a header with columns for ${names}; ${place}`;

  const at = rows.findIndex(({ line }) => line === (best ?? firstThatIsNoTitle(rows))?.line);
  const sample = rows.slice(at + 1, at + 1 + SAMPLE_ROWS).map(({ cells }) => cells);
  const columns = (best?.columns ?? rows[at]?.cells.map(cellText) ?? []).map((header, index) =>
    toColumn(header, index, operation, sample),
  );
  const preamble = preambleFacts(rows.slice(0, Math.max(at, 0)));
  const fields = missing.length > 0 ? missing : operation.fields.filter(isKeyField);
  const remedy = missingRemedy(fields, operation, { columns, mapped, preset, preamble });
  return issueOf('header-missing', null, message, `${remedy}, or correct the file`);
}

/** The operation's first field of a kind, and its column: `index` is -1 where it has none. */
export function fieldOf(kind: Field['kind'], operation: Operation, header: FoundHeader) {
  const name = operation.fields.find((field) => field.kind === kind)?.name ?? null;
  const column = name === null ? undefined : header.match.mapped[name];
  return { name, column: column ?? null, index: column?.index ?? -1, label: column?.header ?? name ?? '' };
}
