import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import { isEmailType } from '../../domain/learner.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import {
  ambiguousHeader,
  missingColumn,
  missingField,
  timeOrDuration,
  unclearType,
} from '../header/header-problems.js';
import { compactHeader, normaliseHeader } from '../header/header-text.js';
import type { ToldAbove } from '../header/told-above.js';
import { identifierTypeField } from '../values/learner.js';
import { type ChosenPreset, choosePreset, knownHeaderKey } from './choose-preset.js';
import { type HeaderColumn, isAdded, toColumn } from './header-column.js';
import { identifierKind } from './identifier-kind.js';
import { type LackingHeader, missingRemedy } from './missing-fields.js';
import { areAddresses } from './sample-values.js';
import { timeColumns } from './time-column.js';

/** The column that gives a field its values. */
export interface MappedColumn {
  /** From 0, column A. */
  readonly index: number;
  /** As the file has it. */
  readonly header: string;
  /** The zone that the header names for its times, null when it names none. */
  readonly zone: string | null;
  readonly why: 'configured' | 'preset' | 'alias';
}

/** How the columns of a file become the fields of an operation. */
export interface HeaderMatch {
  /** By field name. A field that no column gives is absent. */
  readonly mapped: Readonly<Record<string, MappedColumn>>;
  /** Headers that are no field, in file order, empty ones left out. */
  readonly unmapped: readonly string[];
  /** Values that a header says of another field, by that field's name: "Employee ID" says EmployeeId. */
  readonly implied: Readonly<Record<string, string>>;
  /** Why this header cannot be used; empty when it can. */
  readonly problems: readonly Issue[];
  /** Fields that are among the headers, but not clearly: for the search of the header line. */
  readonly ambiguous: readonly string[];
  /** The known export that this header belongs to; null: none, or several that fit equally well. */
  readonly preset: ChosenPreset | null;
  /** These several. */
  readonly tiedPresets: readonly string[];
}

/** What a source says about columns. */
export type ColumnSource = Pick<SourceConfig, 'columns' | 'defaults' | 'preset'>;

/**
 * Finds the columns of an operation's fields: first those that the source names in `columns`, then those of the
 * preset that it names or the header shows, then by known headers, a better known one before a lesser. A field that
 * the source gives the column null has none. `sample` are rows below the header, where the words in a column must tell
 * a status from a date ("Completed").
 */
export function matchHeaders(
  headers: readonly string[],
  operation: Operation,
  source: ColumnSource,
  sample: readonly (readonly Cell[])[] = [],
): HeaderMatch {
  const columns = headers.map((header, index) => toColumn(header, index, operation, sample));
  const draft: Draft = { mapped: {}, ambiguous: [], problems: [], taken: new Set() };
  const { preset, tied } = choosePreset(headers, operation, source);
  for (const field of operation.fields) mapConfigured(field, columns, source, draft);
  const open = operation.fields.filter((field) => source.columns[field.name] === undefined);
  const byPreset = preset
    ? open.filter((field) => mapByPreset(field, columns, operation, source, preset, draft))
    : [];
  // A status column first: it takes the "Completed" that holds yes and no, so that no date is looked for there.
  for (const field of statusFirst(open)) {
    if (byPreset.includes(field)) continue;
    if (field.kind === 'time') mapTime(field, columns, operation, sample, draft);
    else mapByAlias(field, columns, operation, source, draft);
  }
  const implied = impliedValues(columns, operation, draft.mapped);
  const unmapped = columns
    .filter((column) => column.text !== '' && !draft.taken.has(column.index))
    .map((column) => column.header);
  const missing = operation.fields.filter((field) => isMissing(field, source, draft, implied));
  draft.problems.push(...missingProblems(missing, operation, columns, unmapped, draft, preset));
  return {
    mapped: inFieldOrder(operation, draft.mapped),
    unmapped,
    implied,
    problems: draft.problems,
    ambiguous: draft.ambiguous,
    preset,
    tiedPresets: tied,
  };
}

interface Draft {
  readonly mapped: Record<string, MappedColumn>;
  readonly ambiguous: string[];
  readonly problems: Issue[];
  readonly taken: Set<number>;
}

/** A date's or score's header over status words comes after every header that is known for a status. */
const BORROWED_RANK = 2_000;

function mapConfigured(
  field: Field,
  columns: readonly HeaderColumn[],
  source: ColumnSource,
  draft: Draft,
): void {
  const wanted = source.columns[field.name];
  if (wanted === undefined || wanted === null) return;
  const exact = columns.filter((column) => column.header.trim() === wanted.trim());
  const key = normaliseHeader(wanted).text;
  const found = exact.length > 0 ? exact : columns.filter((column) => column.text === key);
  const [column] = found;
  if (column === undefined) {
    draft.problems.push(
      missingColumn(
        field,
        wanted,
        columns.map((column) => column.header),
      ),
    );
  } else if (found.length > 1) {
    addAmbiguity(field, found, draft);
  } else {
    draft.taken.add(column.index);
    draft.mapped[field.name] = toMapped(column, 'configured');
  }
}

/**
 * The first of the preset's columns for the field that the file has.
 * @returns true when the preset decides: also where it says that no column is the field.
 */
function mapByPreset(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
  preset: ChosenPreset,
  draft: Draft,
): boolean {
  const wanted = preset.columns[field.name];
  if (wanted === undefined) return false;
  for (const key of wanted.map(knownHeaderKey)) {
    const found = columns.filter(
      (column) =>
        compactHeader(column.text) === key && !draft.taken.has(column.index) && !isAdded(column.header),
    );
    const [column] = found;
    if (column === undefined || speaksAgainst(field, column, operation, source)) continue;
    if (found.length > 1) {
      addAmbiguity(field, found, draft);
    } else {
      draft.taken.add(column.index);
      draft.mapped[field.name] = toMapped(column, 'preset');
    }
    return true;
  }
  return wanted.length === 0;
}

/** What is in a column, or what the source says of identifiers, outweighs a preset. */
function speaksAgainst(
  field: Field,
  column: HeaderColumn,
  operation: Operation,
  source: ColumnSource,
): boolean {
  const match = column.matches.find((candidate) => candidate.field === field.name);
  if (field.kind === 'timestamp' && column.holds !== 'other') return true;
  return match !== undefined && contradicts(field, column, match.alias, operation, source);
}

function mapByAlias(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
  draft: Draft,
): void {
  const candidates = columns
    .filter((column) => !draft.taken.has(column.index))
    .map((column) => ({ column, rank: rankOf(field, column, operation, source) }))
    .filter(({ rank }) => rank !== null);
  const best = Math.min(...candidates.map(({ rank }) => rank ?? Number.POSITIVE_INFINITY));
  const found = candidates.filter(({ rank }) => rank === best).map(({ column }) => column);
  const [column] = found;
  if (column === undefined) return;
  if (found.length > 1) {
    addAmbiguity(field, found, draft);
    return;
  }
  draft.taken.add(column.index);
  draft.mapped[field.name] = toMapped(column, 'alias');
}

/** A date's time of day, where it stands in a column of its own. The date's column is known by now. */
function mapTime(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  sample: readonly (readonly Cell[])[],
  draft: Draft,
): void {
  const timestamp = operation.fields.find(({ kind }) => kind === 'timestamp');
  const date = columns[draft.mapped[timestamp?.name ?? '']?.index ?? -1];
  if (!date) return;
  const free = columns.filter((column) => !draft.taken.has(column.index) && !isAdded(column.header));
  const found = timeColumns(field.name, free, date, sample);
  const [only, another] = found;
  if (only === undefined) return;
  if (another) {
    addAmbiguity(
      field,
      found.map(({ column }) => column),
      draft,
    );
  } else if (only.isDoubtful) {
    draft.problems.push(timeOrDuration(field, only.column.header, date.header));
  } else {
    draft.taken.add(only.column.index);
    draft.mapped[field.name] = toMapped(only.column, 'alias');
  }
}

/** How well a column's header names the field, lower is better; null: it doesn't, or its values say otherwise. */
function rankOf(
  field: Field,
  column: HeaderColumn,
  operation: Operation,
  source: ColumnSource,
): number | null {
  const match = column.matches.find((candidate) => candidate.field === field.name);
  if (field.kind === 'status' && !match) {
    const lent = column.matches.find((candidate) => lends(operation, candidate.field, column));
    return lent ? lent.rank + BORROWED_RANK : null;
  }
  if (!match || (field.kind === 'timestamp' && column.holds !== 'other')) return null;
  if (field.kind === 'score' && match.alias === 'note' && column.isRemark) return null;
  return contradicts(field, column, match.alias, operation, source) ? null : match.rank;
}

/** A date's column is a status when it holds status words; a score's only when they aren't numbers. */
function lends(operation: Operation, fieldName: string, column: HeaderColumn): boolean {
  const kind = operation.fields.find((field) => field.name === fieldName)?.kind;
  if (kind === 'timestamp') return column.holds !== 'other';
  return kind === 'score' && column.holds === 'status words';
}

/** True when the source says that identifiers are of one type and the header that they are of another. */
function contradicts(
  field: Field,
  column: HeaderColumn,
  alias: string,
  operation: Operation,
  source: ColumnSource,
): boolean {
  const typeField = field.kind === 'learner' ? identifierTypeField(operation, field) : null;
  const said = typeField ? source.defaults[typeField.name] : undefined;
  const implied = typeField ? impliedBy(typeField, alias, column) : undefined;
  if (said === undefined || implied === undefined) return false;
  const type = typeField?.choices?.find((choice) => choice.toLowerCase() === said.toLowerCase()) ?? said;
  return implied !== type && !(isEmailType(implied) && isEmailType(type));
}

function impliedValues(
  columns: readonly HeaderColumn[],
  operation: Operation,
  mapped: Readonly<Record<string, MappedColumn>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const field of operation.fields) {
    const column = columns[(field.implied && mapped[field.implied.by])?.index ?? -1];
    if (column === undefined) continue;
    const alias = column.matches.find((match) => match.field === field.implied?.by)?.alias;
    const value = impliedBy(field, alias, column) ?? (areAddresses(column.values()) ? 'Email' : undefined);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}

/** What the header says of the other field; undefined: nothing, or its values say otherwise. */
function impliedBy({ implied }: Field, alias: string | undefined, column: HeaderColumn): string | undefined {
  const value = alias === undefined ? undefined : implied?.values[alias];
  if (value === undefined || !implied?.ifAddresses?.includes(alias ?? '')) return value;
  const values = column.values();
  return values.length === 0 || areAddresses(values) ? value : undefined;
}

function inFieldOrder(
  operation: Operation,
  mapped: Readonly<Record<string, MappedColumn>>,
): Readonly<Record<string, MappedColumn>> {
  return Object.fromEntries(
    operation.fields.flatMap(({ name }) => {
      const column = mapped[name];
      return column ? [[name, column]] : [];
    }),
  );
}

function statusFirst(fields: readonly Field[]): readonly Field[] {
  return [
    ...fields.filter((field) => field.kind === 'status'),
    ...fields.filter((field) => field.kind !== 'status'),
  ];
}

function toMapped(column: HeaderColumn, why: MappedColumn['why']): MappedColumn {
  return { index: column.index, header: column.header, zone: column.zone, why };
}

function addAmbiguity(field: Field, found: readonly HeaderColumn[], draft: Draft): void {
  draft.ambiguous.push(field.name);
  draft.problems.push(ambiguousHeader(field, found));
}

/** True for a field that a record needs and nothing gives. */
function isMissing(
  field: Field,
  source: ColumnSource,
  draft: Draft,
  implied: Readonly<Record<string, string>>,
): boolean {
  const isGiven =
    draft.mapped[field.name] !== undefined ||
    draft.ambiguous.includes(field.name) ||
    typeof source.columns[field.name] === 'string' ||
    source.defaults[field.name] !== undefined ||
    implied[field.name] !== undefined ||
    field.fallback !== undefined;
  return field.required && !isGiven;
}

function missingProblems(
  missing: readonly Field[],
  operation: Operation,
  columns: readonly HeaderColumn[],
  unmapped: readonly string[],
  draft: Draft,
  preset: ChosenPreset | null,
): Issue[] {
  const sought = missing.filter(({ implied }) => implied === undefined);
  const lacking = () => lackingHeader(columns, operation, draft.mapped, preset, null);
  const remedy = sought.length === 0 ? '' : missingRemedy(sought, operation, lacking());
  return missing.flatMap((field) => {
    if (!field.implied) return missingField(field, unmapped, remedy);
    const by = columns[draft.mapped[field.implied.by]?.index ?? -1];
    // Without the column that could imply the type, the missing column is the problem, not its type.
    return by ? unclearType(field, by.header, identifierKind(by.values())) : [];
  });
}

/** A sheet may have thousands of columns; what a record needs stands among the first of them. */
const MOST_FREE = 200;

/** What a header that lacks fields has besides. */
export function lackingHeader(
  columns: readonly HeaderColumn[],
  operation: Operation,
  mapped: Readonly<Record<string, MappedColumn>>,
  preset: ChosenPreset | null,
  told: ToldAbove | null,
): LackingHeader {
  const taken = new Set(Object.values(mapped).map(({ index }) => index));
  const title = operation.fields.find(({ kind, sent }) => kind === 'text' && !sent);
  return {
    free: columns
      .filter((column) => column.text !== '' && !isAdded(column.header) && !taken.has(column.index))
      .slice(0, MOST_FREE),
    title: columns[(title && mapped[title.name])?.index ?? -1] ?? null,
    told,
    preset,
  };
}
