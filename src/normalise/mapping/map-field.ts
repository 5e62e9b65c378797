import type { SourceConfig } from '../../config/schema.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { compactHeader, normaliseHeader } from '../header/header-text.js';
import { areZones, isBareZone } from '../time/zone/zone.js';
import { type ChosenPreset, knownHeaderKey } from './choose-preset.js';
import { type HeaderColumn, isAdded } from './header-column.js';
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

/** The columns with the header that the source names for the field. */
export function configuredColumns(wanted: string, columns: readonly HeaderColumn[]): readonly HeaderColumn[] {
  const exact = columns.filter((column) => column.header.trim() === wanted.trim());
  const key = normaliseHeader(wanted).text;
  return exact.length > 0 ? exact : columns.filter((column) => column.text === key);
}

/**
 * The columns of the first of the preset's headers for the field that the file has.
 * @param free those that no field takes. @returns null where the preset says nothing of the field.
 */
export function presetColumns(
  field: Field,
  free: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
  preset: ChosenPreset,
): readonly HeaderColumn[] | null {
  const wanted = preset.columns[field.name];
  for (const key of wanted?.map(knownHeaderKey) ?? []) {
    const found = free.filter((column) => compactHeader(column.text) === key && !isAdded(column.header));
    const [column] = found;
    if (column !== undefined && !speaksAgainst(field, column, operation, source)) return found;
  }
  return wanted?.length === 0 ? [] : null;
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

/** The columns whose header is the best known of those for the field. @param free those that no field takes. */
export function aliasColumns(
  field: Field,
  free: readonly HeaderColumn[],
  operation: Operation,
  source: ColumnSource,
): readonly HeaderColumn[] {
  const ranked = free.flatMap((column) => {
    const rank = rankOf(field, column, operation, source);
    return rank === null ? [] : [{ column, rank }];
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ column }) => column);
}

/**
 * The columns with the time of day of a date, where it has its own. `isDoubtful` where it may be a duration.
 * @param date the column of the date. @param free those that no field takes.
 */
export function timeOfDayColumns(
  field: Field,
  free: readonly HeaderColumn[],
  date: HeaderColumn | undefined,
  sample: readonly (readonly Cell[])[],
): ReturnType<typeof timeColumns> {
  if (!date) return [];
  return timeColumns(
    field.name,
    free.filter((column) => !isAdded(column.header)),
    date,
    sample,
  );
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
