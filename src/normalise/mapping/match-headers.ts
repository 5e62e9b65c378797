import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { type ChosenPreset, choosePreset } from './choose-preset.js';
import { type HeaderColumn, toColumn } from './header-column.js';
import { missingField, unclearType } from './header-problems.js';
import { identifierKind, impliedValues } from './identifier-kind.js';
import {
  type ColumnSource,
  type MappedColumn,
  type MappingDraft,
  mapByAlias,
  mapByPreset,
  mapConfigured,
  mapTime,
} from './map-field.js';
import { lackingHeader, missingRemedy } from './missing-fields.js';

/** How the columns of a file become the fields of an operation. */
export interface HeaderMatch {
  /** By field name. A field that no column gives is absent. */
  readonly mapped: Readonly<Record<string, MappedColumn>>;
  /** Headers that are no field, in file order, empty ones left out. */
  readonly unmapped: readonly string[];
  /** Values that a header implies for another field, by that field's name: "Employee ID" implies EmployeeId. */
  readonly implied: Readonly<Record<string, string>>;
  /** Why this header cannot be used; empty when it can. */
  readonly problems: readonly Issue[];
  /** Fields that several headers could name: for the search of the header line. */
  readonly ambiguous: readonly string[];
  /** The known export that this header belongs to; null: none, or several that fit equally well. */
  readonly preset: ChosenPreset | null;
  /** The presets that fit equally well. */
  readonly tiedPresets: readonly string[];
}

/**
 * Finds the columns of an operation's fields: first those that the source names in `columns`, then those of the preset that it
 * names or the header shows, then by known headers, a better known one before a lesser. A field to which the source assigns the
 * column null has none. `sample` are rows below the header: the words in a column must distinguish a status from a date
 * ("Completed").
 */
export function matchHeaders(
  headers: readonly string[],
  operation: Operation,
  source: ColumnSource,
  sample: readonly (readonly Cell[])[] = [],
): HeaderMatch {
  const columns = headers.map((header, index) => toColumn(header, index, operation, sample));
  const draft: MappingDraft = { mapped: {}, ambiguous: [], problems: [], taken: new Set() };
  const { preset, tied } = choosePreset(headers, operation, source);
  for (const field of operation.fields) mapConfigured(field, columns, source, draft);
  const open = operation.fields.filter((field) => source.columns[field.name] === undefined);
  const byPreset = preset
    ? open.filter((field) => mapByPreset(field, columns, operation, source, preset, draft))
    : [];
  // A status column first: it takes a "Completed" with yes and no, so that no date is expected there.
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

/** True for a required field without any source of values. */
function isMissing(
  field: Field,
  source: ColumnSource,
  draft: MappingDraft,
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
  draft: MappingDraft,
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
