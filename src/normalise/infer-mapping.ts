import { type Cell, cellText, isBlankCell } from '../domain/row.js';
import type { Field, Operation } from '../operations/operation.js';
import type { ChosenPreset } from './choose-preset.js';
import type { DateOrder } from './date-order.js';
import { aliasMatches, whyNotMapped } from './header-aliases.js';
import { normaliseHeader } from './header-text.js';
import { identifierTypeField } from './learner.js';
import { type HeaderMatch, type MappedColumn, matchHeaders } from './match-headers.js';
import { parseDateText } from './parse-date-text.js';
import { createOrderEvidence } from './profile.js';

/** What a sample tells about how its columns become fields; a proposal that a person confirms. */
export interface InferredMapping {
  /** One entry for each field of the operation, in its order. */
  readonly columns: readonly InferredColumn[];
  readonly defaults: readonly InferredDefault[];
  /** Headers that are no field; `reason` where one was deliberately left out. */
  readonly unmapped: readonly { readonly header: string; readonly reason: string | null }[];
  /** The known export that the header shows; null: none, or several. */
  readonly preset: ChosenPreset | null;
}

interface InferredColumn {
  readonly field: string;
  readonly required: boolean;
  /** As the file has it; null: no column was found. */
  readonly header: string | null;
  /** Why, a plain sentence without capital and full stop. Shows no value. */
  readonly reason: string;
  /** The column's first value as it stands, which may be personal; null where there is none. */
  readonly example: string | null;
  /** For times: the order the sample proves; null where none is proven or needed, and for other kinds. */
  readonly dateOrder: DateOrder | null;
  /** For times: whether each value, or the header, names a zone; null for other kinds and empty columns. */
  readonly carriesZone: boolean | null;
}

/** A value for `defaults:`. `confirm`: a guess that a person must look at. */
interface InferredDefault {
  readonly field: string;
  readonly value: string;
  readonly reason: string;
  readonly confirm: boolean;
}

/** Proposes a mapping from a header and rows below it. */
export function inferMapping(
  headers: readonly string[],
  sampleRows: readonly (readonly Cell[])[],
  operation: Operation,
): InferredMapping {
  const match = matchHeaders(headers, operation, { columns: {}, defaults: {} }, sampleRows);
  const problemOf = (field: Field) =>
    match.ambiguous.includes(field.name)
      ? match.problems.find(({ message }) => message.endsWith(` ${field.name}`))?.message
      : undefined;
  return {
    columns: operation.fields.map((field) => {
      const column = match.mapped[field.name];
      return column
        ? describe(field, operation, column, match.preset, valuesOf(sampleRows, column.index))
        : { ...absent(field), reason: problemOf(field) ?? 'no header is a known name for it' };
    }),
    defaults: operation.fields.flatMap(
      (field) => inferDefault(field, operation, match.mapped, match.implied, sampleRows) ?? [],
    ),
    unmapped: match.unmapped.map((header) => ({ header, reason: leftOutBecause(header, operation, match) })),
    preset: match.preset,
  };
}

function absent(field: Field) {
  return {
    field: field.name,
    required: field.required,
    header: null,
    example: null,
    dateOrder: null,
    carriesZone: null,
  };
}

function describe(
  field: Field,
  operation: Operation,
  column: MappedColumn,
  preset: ChosenPreset | null,
  values: readonly Cell[],
): InferredColumn {
  const distinct = new Set(values.map(cellText));
  const count = `${distinct.size} distinct ${distinct.size === 1 ? 'value' : 'values'}`;
  const holds = distinct.size === 0 ? 'the sample has no value in it' : `holds ${count}`;
  return {
    field: field.name,
    required: field.required,
    header: column.header,
    reason: `${whyTaken(field, column, preset, operation)}; ${holds}`,
    example: [...distinct][0] ?? null,
    dateOrder: field.kind === 'timestamp' ? orderOf(values) : null,
    carriesZone: field.kind === 'timestamp' && values.length > 0 ? zoned(column, values) : null,
  };
}

function whyTaken(
  field: Field,
  { header, why }: MappedColumn,
  preset: ChosenPreset | null,
  operation: Operation,
): string {
  if (why === 'preset' && preset) return `preset ${preset.name} has ${field.name} in "${header}"`;
  const isName = aliasMatches(normaliseHeader(header).text, operation).some(
    (match) => match.field === field.name,
  );
  // A status may stand under the name of a time or a score: what it holds says so.
  return isName
    ? `header "${header}" is a known name for ${field.name}`
    : `"${header}" holds nothing but words of a ${field.name}`;
}

function orderOf(values: readonly Cell[]): DateOrder | null {
  const evidence = createOrderEvidence();
  values.forEach((value, index) => {
    evidence.add(value, index + 1);
  });
  return evidence.order();
}

function zoned(column: MappedColumn, values: readonly Cell[]): boolean {
  if (column.zone !== null) return true;
  return values.every((value) => {
    const parsed = typeof value === 'string' ? parseDateText(value) : null;
    return parsed !== null && 'zone' in parsed && parsed.zone !== null;
  });
}

/** Proposes a value for a field that no column gives: the kind of identifier, or the operation's own fallback. */
function inferDefault(
  field: Field,
  operation: Operation,
  mapped: Readonly<Record<string, MappedColumn>>,
  implied: Readonly<Record<string, string>>,
  sampleRows: readonly (readonly Cell[])[],
): InferredDefault | null {
  if (!field.required || mapped[field.name]) return null;
  const value = implied[field.name];
  const by = field.implied && mapped[field.implied.by];
  if (value !== undefined && by) {
    return { field: field.name, value, reason: `header "${by.header}" says so`, confirm: false };
  }
  if (field.fallback !== undefined) {
    return { field: field.name, value: field.fallback, reason: 'the usual value', confirm: false };
  }
  const learner = operation.fields.find((other) => identifierTypeField(operation, other) === field);
  if (!learner || !by) return null;
  const values = valuesOf(sampleRows, by.index);
  const areAddresses =
    values.length > 0 && values.every((cell) => /^[^@\s]+@[^@\s]+$/.test(cellText(cell).trim()));
  return areAddresses
    ? {
        field: field.name,
        value: 'Email',
        reason: `the values of "${by.header}" are addresses`,
        confirm: false,
      }
    : {
        field: field.name,
        value: 'UserId',
        reason: `"${by.header}" does not say what kind of identifier it holds`,
        confirm: true,
      };
}

function leftOutBecause(header: string, operation: Operation, match: HeaderMatch): string | null {
  const { text } = normaliseHeader(header);
  for (const { field } of aliasMatches(text, operation)) {
    const taken = match.mapped[field]?.header;
    if (taken !== undefined) return `a name for ${field} too, but "${taken}" goes before it`;
    if (match.preset?.columns[field]?.length === 0) return `not ${field}, says preset ${match.preset.name}`;
  }
  for (const field of operation.fields) {
    const reason = whyNotMapped(text, field);
    if (reason !== null) return reason;
  }
  return null;
}

function valuesOf(rows: readonly (readonly Cell[])[], index: number): readonly Cell[] {
  return rows.map((row) => row[index] ?? null).filter((cell) => !isBlankCell(cell));
}
