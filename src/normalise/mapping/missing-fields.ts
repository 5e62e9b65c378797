import type { Field, Operation } from '../../operations/operation.js';
import { splitGroup } from '../header/header-text.js';
import { quotedYaml, shown } from '../values/reading.js';
import { hasWordOf } from '../values/word-pattern.js';
import { aliasMatches, namesOf, whyNotMapped } from './header-aliases.js';
import { areAddresses, areTimes, type HeaderColumn, isAdded } from './header-column.js';
import type { ChosenPreset, MappedColumn } from './map-field.js';

/** A header that lacks fields, with what else is known of its file. */
export interface LackingHeader {
  readonly columns: readonly HeaderColumn[];
  readonly mapped: Readonly<Record<string, MappedColumn>>;
  readonly preset: ChosenPreset | null;
}

/** A sheet may have thousands of columns; the ones that a record needs are among the first. */
const MAX_FREE = 200;

/**
 * The text to write into registrar.yaml where fields are missing, all of them at once: `columns` in a form that can be pasted,
 * with the columns that may be meant; `defaults` where no column can give the field. "…" is a placeholder for a value that only a
 * person knows.
 */
export function missingRemedy(
  missing: readonly Field[],
  operation: Operation,
  { columns, mapped, preset }: LackingHeader,
): string {
  const taken = new Set(Object.values(mapped).map(({ index }) => index));
  const free = columns
    .filter((column) => column.text !== '' && !isAdded(column.header) && !taken.has(column.index))
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
  if (whyNotMapped(column.text, field) !== null) return false;
  const values = column.values();
  if (kind === 'timestamp') return values.length === 0 || areTimes(values);
  if (kind !== 'learner' && kind !== 'identifier') return true;
  if (areTimes(values) || column.holds !== 'other') return false;
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
