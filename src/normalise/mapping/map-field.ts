import { builtInPresets, type Preset, type PresetSettings } from '../../config/presets/preset.js';
import type { SourceConfig } from '../../config/schema.js';
import { type Cell, isBlankCell, isBlankRow, isDateCell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { headerKey, normaliseHeader } from '../header/header-text.js';
import { readTimeOfDay } from '../time/time-of-day.js';
import { areZones, isBareZone } from '../time/zone/zone-notes.js';
import { hasWordOf, wordPattern } from '../values/word-pattern.js';
import { contradicts, type HeaderColumn, holdsNoScore, isAdded, SAMPLE_ROWS } from './header-column.js';

export interface MappedColumn {
  readonly index: number;
  readonly header: string;
  /** The zone that the header names for its times, null when it names none. */
  readonly zone: string | null;
  readonly why: 'configured' | 'preset' | 'alias';
}

export type ColumnSource = Pick<SourceConfig, 'columns' | 'defaults' | 'preset'>;

interface MappingRules {
  readonly operation: Operation;
  readonly source: ColumnSource;
}

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
  rules: MappingRules,
  preset: ChosenPreset,
): readonly HeaderColumn[] | null {
  const aliases = preset.columns[field.name];
  for (const key of aliases?.map(headerKey) ?? []) {
    const matching = free.filter((column) => headerKey(column.header) === key && !isAdded(column.header));
    const [column] = matching;
    if (column !== undefined && !speaksAgainst(field, column, rules)) return matching;
  }
  return aliases?.length === 0 ? [] : null;
}

/** A column's values, or the source's statement about identifiers, outweigh a preset. */
function speaksAgainst(field: Field, column: HeaderColumn, { operation, source }: MappingRules): boolean {
  const match = column.matches.find((candidate) => candidate.field === field.name);
  if (field.kind === 'timestamp' && column.holds !== 'other') return true;
  return match !== undefined && contradicts(field, column, match.kind, operation, source);
}

/** The columns whose header is the best known of those for the field. @param free those that no field takes. */
export function aliasColumns(
  field: Field,
  free: readonly HeaderColumn[],
  rules: MappingRules,
): readonly HeaderColumn[] {
  const ranked = free.flatMap((column) => {
    const rank = rankOf(field, column, rules);
    return rank === null ? [] : [{ column, rank }];
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ column }) => column);
}

/** A date's or score's header over status words ranks after every known header of a status. */
const BORROWED_RANK = 2_000;

/** How well a column's header names the field, lower is better; null: it doesn't, or its values say otherwise. */
function rankOf(field: Field, column: HeaderColumn, { operation, source }: MappingRules): number | null {
  const match = column.matches.find((candidate) => candidate.field === field.name);
  if (field.kind === 'status' && !match) {
    const lent = column.matches.find((candidate) => lends(operation, candidate.field, column));
    return lent ? lent.rank + BORROWED_RANK : null;
  }
  if (!match || (field.kind === 'timestamp' && column.holds !== 'other')) return null;
  if (field.kind === 'zone' && isBareZone(column.text) && !areZones(column.values())) return null;
  if (match.kind === 'score-or-remark' && holdsNoScore(column.values())) return null;
  return contradicts(field, column, match.kind, operation, source) ? null : match.rank;
}

/** A date's column is a status when it holds status words; a score's column only when these aren't numbers. */
function lends(operation: Operation, fieldName: string, column: HeaderColumn): boolean {
  const kind = operation.fields.find((field) => field.name === fieldName)?.kind;
  if (kind === 'timestamp') return column.holds !== 'other';
  return kind === 'score' && column.holds === 'status words';
}

/**
 * The free columns with the time of day of a column of dates: none where the dates have times themselves. `isDoubtful` where the times
 * may be durations.
 */
export function timeOfDayColumns(
  field: string,
  free: readonly HeaderColumn[],
  date: HeaderColumn | undefined,
  sample: readonly (readonly Cell[])[],
): readonly { readonly column: HeaderColumn; readonly isDoubtful: boolean }[] {
  if (date === undefined) return [];
  const rows = sample.filter((cells) => !isBlankRow(cells)).slice(0, SAMPLE_ROWS);
  if (rows.some((cells) => hasTime(cells[date.index]))) return [];
  const candidates = free.flatMap((column) => {
    const relation = isAdded(column.header) ? null : relationOf(field, column, date);
    if (relation === null) return [];
    const cells = rows.map((row) => row[column.index]).filter((cell) => !isBlankCell(cell));
    const readings = cells.map((cell) => readTimeOfDay(cell, { column: '', zones: {} }));
    const valid = readings.flatMap((reading) => ('issue' in reading ? [] : (reading.value ?? [])));
    const unreadable = readings.filter((reading) => 'issue' in reading);
    // A column that is clearly named may hold unreadable values, which are reported row by row.
    const isTime = valid.length >= (relation === 'named' ? unreadable : cells).length;
    if (!isTime || (relation === 'beside' && valid.length === 0)) return [];
    const isShort = valid.length > 0 && valid.every(({ timeMs }) => timeMs < LONGEST_TAKEN_MS);
    const isDoubtful = isShort && !cells.some((cell) => typeof cell === 'string' && NAMES_CLOCK.test(cell));
    return [{ column, relation, isDoubtful }];
  });
  const named = candidates.filter(({ relation }) => relation === 'named');
  return named.length > 0 ? named : candidates;
}

/** A column of times all before this hour of the day may be one of durations. */
const LONGEST_TAKEN_MS = 6 * 3_600_000;
const NAMES_CLOCK = /[ap]\.?m\b|uhr/i;

/** `named`: its header differs from the date's in one word, or names the completion; `beside`: it names a time next to the date. */
function relationOf(
  field: string,
  { text, index, matches }: HeaderColumn,
  date: HeaderColumn,
): 'named' | 'beside' | null {
  if (matches.some((match) => match.field === field)) return 'named';
  if (!timeWord().test(text)) return null;
  const stem = stemOf(text.replace(timeWord(), ' '));
  if (stem === COMPLETION || stem === stemOf(date.text.replace(dateWord(), ' '))) return 'named';
  return stem === '' && Math.abs(index - date.index) === 1 ? 'beside' : null;
}

const timeWord = wordPattern('other-headers.time');
const dateWord = wordPattern('other-headers.date');
const isCompletion = hasWordOf('other-headers.completion');

const COMPLETION = 'completion';

/** A header without its word for date or time; all words for a completion are one. */
function stemOf(rest: string): string {
  return rest
    .split(/[\s\-_()/:]+|(?<!\p{L})d'/u)
    .filter((word) => word !== '' && !PARTICLES.has(word))
    .map((word) => (word === 'compl' || isCompletion(word) ? COMPLETION : word))
    .join(' ');
}

const PARTICLES = new Set(['on', 'at', 'of', 'the', 'de', 'del', 'la', 'le', 'am', 'um']);

/** True for a date that says a time of day; midnight alone is how a day is written. */
function hasTime(cell: Cell | undefined): boolean {
  if (isDateCell(cell)) return !cell.date.includes('T00:00:00.000');
  return typeof cell === 'string' && CLOCK_IN_DATE.test(cell.replace(MIDNIGHT, ''));
}

const CLOCK_IN_DATE = /\d[:h]\d\d|\d ?[ap]\.?m\b/i;
const MIDNIGHT = /[T ]0?0:00(?::00(?:\.0+)?)?\s*$/;

export interface ChosenPreset {
  readonly name: string;
  readonly title: string;
  /** `named`: the source names it. `header`: the header shows it, which sets columns and nothing else. */
  readonly why: 'named' | 'header';
  /** The file's headers that identify the preset; for a named preset those that exist, perhaps none. */
  readonly has: readonly string[];
  readonly columns: Preset['columns'];
  /** What the preset says about a source, in force only for one that names it. */
  readonly settings: PresetSettings;
}

/** The preset that the source names, else the one with the longest signature that the header has in full; of equals none. */
export function choosePreset(
  headers: readonly string[],
  operation: Operation,
  source: Pick<SourceConfig, 'preset'>,
  presets: readonly Preset[] = builtInPresets(),
): ChosenPreset | null {
  const ofOperation = presets.filter((preset) => preset.operation === operation.name);
  const byKey = new Map(
    headers.filter((header) => !isAdded(header)).map((header) => [headerKey(header), header]),
  );
  if (source.preset !== undefined) {
    const named = ofOperation.find(({ name }) => name === source.preset);
    return named ? chosen(named, 'named', byKey) : null;
  }
  // Nearly every preset is ruled out by its first header.
  const fitting = ofOperation
    .filter(
      ({ signature }) =>
        signature.length > 0 && signature.every((oneOf) => oneOf.some((name) => byKey.has(headerKey(name)))),
    )
    .map((preset) => chosen(preset, 'header', byKey));
  const most = Math.max(0, ...fitting.map(({ has }) => has.length));
  const [best, another] = fitting.filter(({ has }) => has.length === most);
  return best === undefined || another !== undefined ? null : best;
}

function chosen(
  preset: Preset,
  why: ChosenPreset['why'],
  headers: ReadonlyMap<string, string>,
): ChosenPreset {
  const { name, title, columns, settings } = preset;
  const has = preset.signature.flatMap((oneOf) => {
    const match = oneOf.map(headerKey).find((key) => headers.has(key));
    return match === undefined ? [] : [headers.get(match) ?? ''];
  });
  return { name, title, why, has, columns, settings };
}
