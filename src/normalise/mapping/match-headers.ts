import { type Issue, issueOf } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { nearestHeader, splitGroup } from '../header/header-text.js';
import { issueFor, quotedYaml, shown } from '../values/reading.js';
import { hasWordOf } from '../values/word-pattern.js';
import { aliasMatches, isOther, namesOf } from './header-aliases.js';
import {
  areAddresses,
  areStatusWords,
  areTimes,
  type HeaderColumn,
  identifierKind,
  impliedValues,
  isAdded,
  toColumn,
} from './header-column.js';
import {
  aliasColumns,
  type ChosenPreset,
  type ColumnSource,
  choosePreset,
  configuredColumns,
  type MappedColumn,
  presetColumns,
  timeOfDayColumns,
} from './map-field.js';

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
}

/**
 * Finds the columns of fields: first those that the source names in `columns`, then those of the preset, then by known headers, a better
 * known one before a lesser. `sample` are rows below the header: values distinguish a status from a date ("Completed").
 */
export function matchHeaders(
  headers: readonly string[],
  operation: Operation,
  source: ColumnSource,
  sample: readonly (readonly Cell[])[] = [],
): HeaderMatch {
  const columns = headers.map((header, index) => toColumn(header, index, operation, sample));
  const preset = choosePreset(headers, operation, source);
  const mapped: Record<string, MappedColumn> = {};
  const ambiguous: string[] = [];
  const problems: Issue[] = [];
  const used = new Set<number>();
  const free = () => columns.filter((column) => !used.has(column.index));
  const take = (field: Field, candidates: readonly HeaderColumn[], why: MappedColumn['why']) => {
    const [only, another] = candidates;
    if (another) {
      ambiguous.push(field.name);
      const named = candidates.map(({ header, index }) => `"${shown(header)}" (column ${index + 1})`);
      const parts = { names: named.join(' and '), field: field.name };
      problems.push(issueFor('several-columns', candidates[0]?.header ?? null, parts));
    } else if (only) {
      used.add(only.index);
      mapped[field.name] = { index: only.index, header: only.header, zone: only.zone, why };
    }
  };
  for (const field of operation.fields) {
    const header = source.columns[field.name];
    if (header === undefined || header === null) continue;
    const configured = configuredColumns(header, columns);
    if (configured.length === 0) {
      const nearest = nearestHeader(header, headers);
      const hint = nearest === null ? '' : `; did you mean "${shown(nearest)}"?`;
      problems.push(issueFor('no-such-column', header, { field: field.name, hint }));
    }
    take(field, configured, 'configured');
  }
  let open = operation.fields.filter((field) => source.columns[field.name] === undefined);
  if (preset) {
    open = open.filter((field) => {
      const candidates = presetColumns(field, free(), { operation, source }, preset);
      if (candidates) take(field, candidates, 'preset');
      return !candidates;
    });
  }
  const timestamp = operation.fields.find(({ kind }) => kind === 'timestamp')?.name ?? '';
  // A status column first: it takes a "Completed" with yes and no, so that no date is expected there.
  const statusFirst = [...open].sort(
    (one, other) => Number(other.kind === 'status') - Number(one.kind === 'status'),
  );
  for (const field of statusFirst) {
    if (field.kind !== 'time') {
      take(field, aliasColumns(field, free(), { operation, source }), 'alias');
      continue;
    }
    const date = columns[mapped[timestamp]?.index ?? -1];
    const times = timeOfDayColumns(field.name, free(), date, sample);
    const [only, another] = times;
    const candidates = times.map(({ column }) => column);
    if (date && only?.isDoubtful && !another) {
      const { header } = only.column;
      const parts = { name: shown(header), date: shown(date.header), field: field.name };
      problems.push(issueFor('time-or-duration', header, { ...parts, header: quotedYaml(header) }));
    } else take(field, candidates, 'alias');
  }
  const implied = impliedValues(columns, operation, mapped);
  const unmapped = free().flatMap((column) => (column.text === '' ? [] : [column.header]));
  const isGiven = ({ name, fallback }: Field) =>
    mapped[name] !== undefined ||
    ambiguous.includes(name) ||
    typeof source.columns[name] === 'string' ||
    source.defaults[name] !== undefined ||
    implied[name] !== undefined ||
    fallback !== undefined;
  const missing = operation.fields.filter((field) => field.required && !isGiven(field));
  const sought = missing.filter(({ implied }) => implied === undefined);
  const remedy = sought.length === 0 ? '' : missingRemedy(sought, operation, columns, mapped, preset);
  for (const field of missing) {
    const by = columns[(field.implied && mapped[field.implied.by])?.index ?? -1];
    if (!field.implied) problems.push(missingField(field, unmapped, remedy));
    // Without the column that could imply the type, the missing column is the problem, not its type.
    else if (by) {
      const type = identifierKind(by.values());
      const others = field.choices?.filter((choice) => choice !== type).join(', ') ?? '';
      problems.push(issueFor('type-unclear', field.name, { header: shown(by.header), type, others }));
    }
  }
  const inFieldOrder = operation.fields.flatMap(({ name }) => (mapped[name] ? [[name, mapped[name]]] : []));
  return { mapped: Object.fromEntries(inFieldOrder), unmapped, implied, problems, ambiguous, preset };
}

/** As many headers as a sentence bears. */
const SHOWN_HEADERS = 20;

/** No header is known for a field that a record needs; `remedy` is for all that are missing. */
function missingField(field: Field, unmapped: readonly string[], remedy: string): Issue {
  const others = unmapped.slice(0, SHOWN_HEADERS).map((header) => `"${shown(header)}"`);
  const more = unmapped.length > SHOWN_HEADERS ? ' and more' : '';
  const message = `no column is recognised as ${field.name}${others.length === 0 ? '' : `; not used are ${others.join(', ')}${more}`}`;
  return issueOf('header-missing', field.name, message, remedy);
}

/** A sheet may have thousands of columns; the ones that a record needs are among the first. */
const MAX_FREE = 200;

/**
 * The text to write into registrar.yaml where fields are missing, all of them at once: `columns` in a form that can be pasted,
 * with the columns that may be meant; `defaults` where no column can give the field. "…" is a placeholder for a value that only a
 * person knows.
 */
function missingRemedy(
  missing: readonly Field[],
  operation: Operation,
  columns: readonly HeaderColumn[],
  mapped: HeaderMatch['mapped'],
  preset: ChosenPreset | null,
): string {
  const used = new Set(Object.values(mapped).map(({ index }) => index));
  const free = columns
    .filter((column) => column.text !== '' && !isAdded(column.header) && !used.has(column.index))
    .slice(0, MAX_FREE);
  const titled = operation.fields.find(({ kind, sent }) => kind === 'text' && !sent);
  const title = columns[(titled && mapped[titled.name])?.index ?? -1]?.header ?? null;
  const byColumn: string[] = [];
  const byDefault: string[] = [];
  let isOfTitle = false;
  // Quoted: of a file without a header the texts are a person's, and masking looks for quotes.
  const give = (field: Field, header: string) => byColumn.push(`${field.name}: ${quotedYaml(header)}`);
  for (const field of missing) {
    const possible = free.filter((column) => mayBe(field, column));
    const named = possible.filter((column) => isNamedLike(field, column, operation));
    const [only, another] =
      named.length > 0 ? named : possible.filter((column) => showsIt(field, column, title));
    if (only && !another) give(field, only.header);
    else if (field.kind === 'identifier' && title !== null) {
      isOfTitle = true;
      give(field, title);
    } else if (possible.length > 0 || field.kind === 'learner') byColumn.push(`${field.name}: …`);
    else byDefault.push(field.name);
  }
  const why = isOfTitle
    ? `"${shown(title ?? '')}" holds the title; if the platform knows contents by it`
    : 'name the columns as the file has them';
  const values = byDefault.map((name) => `${name}: …`).join(', ');
  const parts = [
    ...(byColumn.length > 0 ? [`${why}: columns: { ${byColumn.join(', ')} }`] : []),
    ...(byDefault.length > 0
      ? [
          `no column can give ${byDefault.join(' and ')}: if it is the same for all rows, defaults: { ${values} }`,
        ]
      : []),
  ];
  const hint = preset ? `this looks like ${preset.name} (${preset.title}); ` : '';
  return `${hint}${parts.join('; and ')} for the source in registrar.yaml`;
}

/** Neither the column's values nor its header exclude that it is the field. */
function mayBe(field: Field, column: HeaderColumn): boolean {
  const { kind } = field;
  if (isOther(column.text, field)) return false;
  const values = column.values();
  if (kind === 'timestamp') return values.length === 0 || areTimes(values);
  if (kind !== 'learner' && kind !== 'identifier') return true;
  if (areTimes(values) || areStatusWords(values)) return false;
  if (areAddresses(values)) return kind === 'learner';
  return !isOtherThing(column.text) && !isOtherThing(splitGroup(column.text)?.tail ?? '');
}

/** A known name of the field is part of the header: "Course ID (external)". A learner's column is also recognised by addresses. */
function isNamedLike(field: Field, column: HeaderColumn, operation: Operation): boolean {
  if (field.kind === 'learner' && areAddresses(column.values())) return true;
  if (aliasMatches(column.text, operation).some((match) => match.field === field.name)) return true;
  const text = ` ${column.text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
  return namesOf(field).some(({ name }) => name.length > 3 && text.includes(` ${name.replace(/-/g, ' ')} `));
}

/** Beside a title, a column without any sign of the content is less likely to name it than the title. */
function showsIt({ kind }: Field, column: HeaderColumn, title: string | null): boolean {
  const values = column.values();
  return kind === 'timestamp'
    ? areTimes(values)
    : kind === 'identifier' && title === null && values.length > 0;
}

/**
 * Headers of columns that name no content: people and where they work, lengths of time, results and remarks. Used for
 * suggestions, never for reading.
 */
const isOtherThing = hasWordOf('other-headers.other-things');
