import type { SourceConfig } from '../../config/schema.js';
import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { compactHeader, normaliseHeader } from '../header/header-text.js';
import { areZones, isBareZone } from '../time/zone/zone-header.js';
import { type ChosenPreset, knownHeaderKey } from './choose-preset.js';
import { type HeaderColumn, isAdded } from './header-column.js';
import { ambiguousHeader, missingColumn, timeOrDuration } from './header-problems.js';
import { contradicts } from './identifier-kind.js';
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

/** What a source says about columns. */
export type ColumnSource = Pick<SourceConfig, 'columns' | 'defaults' | 'preset'>;

/** The columns that fields have so far. */
export interface MappingDraft {
  /** By field name. */
  readonly mapped: Record<string, MappedColumn>;
  /** Fields that several columns could be. */
  readonly ambiguous: string[];
  readonly problems: Issue[];
  /** Indices of the columns that are a field. */
  readonly taken: Set<number>;
}

/** The column that the source names for the field, if it names one. */
export function mapConfigured(
  field: Field,
  columns: readonly HeaderColumn[],
  source: ColumnSource,
  draft: MappingDraft,
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
 * Maps the field to the first of the preset's columns for it that the file has.
 * @returns true when the preset decides, also where it says that no column is the field.
 */
export function mapByPreset(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
  preset: ChosenPreset,
  draft: MappingDraft,
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

/** A column's values, or the source's statement about identifiers, outweigh a preset. */
function speaksAgainst(
  field: Field,
  column: HeaderColumn,
  operation: Operation,
  source: ColumnSource,
): boolean {
  const match = column.matches.find((candidate) => candidate.field === field.name);
  if (field.kind === 'timestamp' && column.holds !== 'other') return true;
  return match !== undefined && contradicts(field, column, match.kind, operation, source);
}

/** The column whose header is the best known of those for the field. */
export function mapByAlias(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
  draft: MappingDraft,
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

/** Maps a date's time of day, where it has a column of its own. The date's column is known by now. */
export function mapTime(
  field: Field,
  columns: readonly HeaderColumn[],
  operation: Operation,
  sample: readonly (readonly Cell[])[],
  draft: MappingDraft,
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

/** A date's or score's header over status words ranks after every known header of a status. */
const BORROWED_RANK = 2_000;

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
  if (field.kind === 'zone' && isBareZone(column.text) && !areZones(column.values())) return null;
  if (field.kind === 'score' && match.kind === 'score-or-remark' && column.isRemark) return null;
  return contradicts(field, column, match.kind, operation, source) ? null : match.rank;
}

/** A date's column is a status when it holds status words; a score's column only when these aren't numbers. */
function lends(operation: Operation, fieldName: string, column: HeaderColumn): boolean {
  const kind = operation.fields.find((field) => field.name === fieldName)?.kind;
  if (kind === 'timestamp') return column.holds !== 'other';
  return kind === 'score' && column.holds === 'status words';
}

function toMapped(column: HeaderColumn, why: MappedColumn['why']): MappedColumn {
  return { index: column.index, header: column.header, zone: column.zone, why };
}

function addAmbiguity(field: Field, found: readonly HeaderColumn[], draft: MappingDraft): void {
  draft.ambiguous.push(field.name);
  draft.problems.push(ambiguousHeader(field, found));
}
