import { type Cell, cellText, isBlankCell, isBlankRow, type Row } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { normaliseHeader } from '../header/header-text.js';
import { isRuler } from '../header/noise.js';
import { aliasMatches } from '../mapping/header-aliases.js';
import { areAddresses, identifierKind, sampleValues } from '../mapping/header-column.js';
import type { ChosenPreset, MappedColumn } from '../mapping/map-field.js';
import { type HeaderMatch, matchHeaders } from '../mapping/match-headers.js';
import { parseDateText } from '../time/parse-date-text.js';
import { isZoneLabel, type ZoneNote, zoneNotesOf } from '../time/zone/zone-notes.js';
import { identifierTypeField } from '../values/email.js';
import { isUrl, URL_TYPE } from '../values/identifier.js';

/** The mapping that a sample suggests; a proposal that a person confirms. */
export interface InferredMapping {
  /** One entry for each field of the operation, in its order. */
  readonly columns: readonly InferredColumn[];
  readonly defaults: readonly InferredDefault[];
  /** The known export that the header shows; null: none, or several. */
  readonly preset: ChosenPreset | null;
}

interface InferredColumn {
  readonly field: string;
  readonly required: boolean;
  /** As the file has it; null: no column was found. */
  readonly header: string | null;
  readonly index: number | null;
  /** True where a person must confirm it: several columns could be the field, or what it says is doubtful. */
  readonly isDoubtful: boolean;
  /** Why, a plain sentence without capital and full stop; it shows no value. */
  readonly reason: string;
  /** True for times of which each value, or the header, names a zone. */
  readonly carriesZone: boolean;
}

/** A value for `defaults:`. `confirm`: a guess that a person must look at. */
export interface InferredDefault {
  readonly field: string;
  readonly value: string;
  readonly reason: string;
  readonly confirm: boolean;
}

export interface GivenMapping {
  /** field: header; null: no column is this field. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly defaults: Readonly<Record<string, string>>;
}

const NOTHING_GIVEN: GivenMapping = { columns: {}, defaults: {} };

export const GIVEN_REASON = 'as given at set-up';

/**
 * Proposes a mapping from a header and rows below it.
 * @param fixed goes before everything that the sample shows; its headers must be in the file.
 */
export function inferMapping(
  headers: readonly string[],
  sampleRows: readonly (readonly Cell[])[],
  operation: Operation,
  fixed: GivenMapping = NOTHING_GIVEN,
): InferredMapping {
  const match = matchHeaders(headers, operation, fixed, sampleRows);
  const valuesOf = (column: MappedColumn) => sampleValues(sampleRows, column.index);
  return {
    columns: operation.fields.map((field): InferredColumn => {
      const column = match.mapped[field.name];
      const isGiven = fixed.columns[field.name] !== undefined;
      const problem = match.problems.find(
        ({ message }) => match.ambiguous.includes(field.name) && message.endsWith(` ${field.name}`),
      )?.message;
      const values = column ? valuesOf(column) : [];
      const conflict = column ? mappingConflict(field, column, match.preset, operation) : problem;
      const isUnclear = column ? field.kind === 'zone' && isZoneLabel(column.header) : problem !== undefined;
      return {
        field: field.name,
        required: field.required ?? false,
        header: column?.header ?? null,
        index: column?.index ?? null,
        isDoubtful: !isGiven && isUnclear,
        reason: isGiven ? GIVEN_REASON : (conflict ?? 'no header is a known name for it'),
        carriesZone: column !== undefined && field.kind === 'timestamp' && isZoned(column, values),
      };
    }),
    defaults: operation.fields.flatMap((field) => {
      const value = fixed.defaults[field.name];
      return value === undefined
        ? (inferDefault(field, operation, match, valuesOf) ?? [])
        : { field: field.name, value, reason: GIVEN_REASON, confirm: false };
    }),
    preset: match.preset,
  };
}

function mappingConflict(
  field: Field,
  { header, why }: MappedColumn,
  preset: ChosenPreset | null,
  operation: Operation,
): string {
  if (why === 'preset' && preset) return `preset ${preset.name} has ${field.name} in "${header}"`;
  const isName = aliasMatches(normaliseHeader(header).text, operation).some(
    (match) => match.field === field.name,
  );
  // A status column may have the name of a time or a score: the column's values show it.
  return isName
    ? `header "${header}" is a known name for ${field.name}`
    : `"${header}" holds nothing but values of a ${field.name}`;
}

function isZoned(column: MappedColumn, values: readonly Cell[]): boolean {
  if (column.zone !== null) return true;
  return (
    values.length > 0 &&
    values.every((value) => {
      const parsed = typeof value === 'string' ? parseDateText(value) : null;
      return parsed !== null && 'zone' in parsed && parsed.zone !== null;
    })
  );
}

/** Proposes a value for a field that no column gives: the kind of identifier, or the operation's own fallback. */
function inferDefault(
  field: Field,
  operation: Operation,
  { mapped, implied }: HeaderMatch,
  valuesOf: (column: MappedColumn) => readonly Cell[],
): InferredDefault | null {
  if (!field.required || mapped[field.name]) return null;
  const sure = (value: string, reason: string) => ({ field: field.name, value, reason, confirm: false });
  const value = implied[field.name];
  const by = field.implied && mapped[field.implied.by];
  if (value !== undefined && by) {
    const isShown = areAddresses(valuesOf(by));
    return sure(
      value,
      isShown ? `the values of "${by.header}" are addresses` : `header "${by.header}" says so`,
    );
  }
  if (field.fallback !== undefined) {
    const content = operation.fields.find(({ kind, required }) => kind === 'identifier' && required);
    const column = field.choices?.includes(URL_TYPE) ? mapped[content?.name ?? ''] : undefined;
    const values = column ? valuesOf(column) : [];
    return column && values.length > 0 && values.every(isUrl)
      ? sure(URL_TYPE, `the values of "${column.header}" are addresses of pages`)
      : sure(field.fallback, 'the default value');
  }
  const learner = operation.fields.find((other) => identifierTypeField(operation, other) === field);
  if (!learner || !by) return null;
  const reason = `"${by.header}" doesn't name its type`;
  return { field: field.name, value: identifierKind(valuesOf(by)), reason, confirm: true };
}

/** Lines from the top that may be the header. */
const SEARCHED_ROWS = 30;

export interface InferredSample extends InferredMapping {
  readonly below: readonly Row[];
  /** The header's own cells, in the order of the file; empty ones too. */
  readonly headers: readonly string[];
  /** What the lines above it say about the zone of all times. */
  readonly zoneNotes: readonly ZoneNote[];
}

/**
 * Proposes a mapping from the first rows of a file. The header is the line that maps most fields, the first of equals; where no line maps
 * two, the one with the most names, whose columns a person chooses. null: there is none.
 */
export function inferSample(
  rows: readonly Row[],
  operation: Operation,
  fixed: GivenMapping = NOTHING_GIVEN,
): InferredSample | null {
  const filled = rows.filter(({ cells }) => !isBlankRow(cells) && !isRuler(cells));
  const inferAt = (index: number): InferredSample => {
    const headers = filled[index]?.cells.map(cellText) ?? [];
    const below = filled.slice(index + 1);
    const cells = below.map((row) => row.cells);
    const zoneNotes = zoneNotesOf(filled.slice(0, index));
    return { ...inferMapping(headers, cells, operation, fixed), below, headers, zoneNotes };
  };
  let best: InferredSample | null = null;
  for (const index of filled.slice(0, SEARCHED_ROWS).keys()) {
    const inferred = inferAt(index);
    if (mappedCount(inferred) > (best === null ? 1 : mappedCount(best))) best = inferred;
  }
  if (best !== null) return best;
  const names = filled.slice(0, Math.min(filled.length - 1, SEARCHED_ROWS)).map(namesIn);
  const most = Math.max(0, ...names);
  return most < 2 ? null : inferAt(names.indexOf(most));
}

/** How many names a line has that may be a header: 0 where a cell holds a number or an address, or the same as another. */
function namesIn({ cells }: Row): number {
  const filled = cells.filter((cell) => !isBlankCell(cell));
  const names = new Set(filled.map((cell) => cellText(cell).trim().toLowerCase()));
  const areNames = filled.every((cell) => typeof cell === 'string' && !/[\d@]/.test(cell));
  return areNames && names.size === filled.length ? names.size : 0;
}

export function mappedCount(mapping: InferredMapping): number {
  return mapping.columns.filter(({ header }) => header !== null).length;
}
