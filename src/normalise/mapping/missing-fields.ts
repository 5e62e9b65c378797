import type { Cell } from '../../domain/row.js';
import type { Field, Operation } from '../../operations/operation.js';
import { splitGroup } from '../header/header-text.js';
import { shown } from '../values/reading.js';
import { hasWordOf } from '../values/word-pattern.js';
import type { ChosenPreset } from './choose-preset.js';
import { aliasMatches, namesOf, whyNotMapped } from './header-aliases.js';
import { type HeaderColumn, isAdded } from './header-column.js';
import type { MappedColumn } from './map-field.js';
import type { PreambleFacts } from './preamble-facts.js';
import { areAddresses, areStatusWords, areTimes } from './sample-values.js';

/** The facts about a file whose header lacks fields. */
export interface LackingHeader {
  /** Columns that no field takes. */
  readonly free: readonly HeaderColumn[];
  /** The column of the content's title, which is never sent. */
  readonly title: HeaderColumn | null;
  readonly preamble: PreambleFacts | null;
  readonly preset: ChosenPreset | null;
}

/** Reads the facts about a header that lacks fields. */
export function lackingHeader(
  columns: readonly HeaderColumn[],
  operation: Operation,
  mapped: Readonly<Record<string, MappedColumn>>,
  preset: ChosenPreset | null,
  preamble: PreambleFacts | null,
): LackingHeader {
  const taken = new Set(Object.values(mapped).map(({ index }) => index));
  const title = operation.fields.find(({ kind, sent }) => kind === 'text' && !sent);
  return {
    free: columns
      .filter((column) => column.text !== '' && !isAdded(column.header) && !taken.has(column.index))
      .slice(0, MOST_FREE),
    title: columns[(title && mapped[title.name])?.index ?? -1] ?? null,
    preamble,
    preset,
  };
}

/** A sheet may have thousands of columns; the ones that a record needs are among the first. */
const MOST_FREE = 200;

/**
 * The text to write into registrar.yaml where fields are missing, all of them at once: `columns` in a form that can be pasted,
 * with the columns that may be meant; `defaults` where no column can give the field. "…" stands for a value that only a person
 * knows.
 */
export function missingRemedy(
  missing: readonly Field[],
  operation: Operation,
  header: LackingHeader,
): string {
  const sources = missing.map((field) => ({ field, from: sourceOf(field, operation, header) }));
  const byColumn = sources.filter(({ from }) => from.kind !== 'default');
  const byDefault = sources.filter(({ from }) => from.kind === 'default');
  const titled = byColumn.some(({ from }) => from.kind === 'title');
  const parts: string[] = [];
  if (byColumn.length > 0) {
    const columns = flowMap(byColumn.map(({ field, from }) => [field.name, from.value]));
    parts.push(
      titled && header.title
        ? `"${shown(header.title.header)}" holds the title; if the platform knows contents by it: columns: ${columns}`
        : `name the columns as the file has them: columns: ${columns}`,
    );
  }
  if (byDefault.length > 0) {
    const values = flowMap(byDefault.map(({ field, from }) => [field.name, from.value]));
    const names = byDefault.map(({ field }) => field.name).join(' and ');
    const fact = byDefault.some(({ from }) => from.kind === 'default' && from.isFromPreamble)
      ? header.preamble?.content
      : null;
    const because = fact ? ` (line ${fact.line} says ${fact.label})` : '';
    parts.push(`no column can give ${names}: if it is the same for all rows, defaults: ${values}${because}`);
  }
  const preset = header.preset ? `this looks like ${header.preset.name} (${header.preset.title}); ` : '';
  return `${preset}${parts.join('; and ')} for the source in registrar.yaml`;
}

type FieldSource =
  /** A column of the file, or null: one of several. */
  | { readonly kind: 'column'; readonly value: string | null }
  | { readonly kind: 'title'; readonly value: string }
  | { readonly kind: 'default'; readonly value: string | null; readonly isFromPreamble: boolean };

function sourceOf(field: Field, operation: Operation, header: LackingHeader): FieldSource {
  const possible = header.free.filter((column) => mayBe(field, column));
  const near = possible.filter((column) => isNamedLike(field, column, operation));
  const evident = possible.filter((column) => showsIt(field, column, header));
  const [only, another] = near.length > 0 ? near : evident;
  if (only && !another) return { kind: 'column', value: only.header };
  if (possible.length === 0 && field.kind !== 'learner') {
    const isContent = field.kind === 'identifier';
    if (isContent && header.title) return { kind: 'title', value: header.title.header };
    const value = isContent ? (header.preamble?.content?.value ?? null) : null;
    return { kind: 'default', value, isFromPreamble: value !== null };
  }
  if (field.kind === 'identifier' && header.title) return { kind: 'title', value: header.title.header };
  return { kind: 'column', value: null };
}

/** Neither the column's values nor its header exclude that it is the field. */
function mayBe(field: Field, column: HeaderColumn): boolean {
  const values = column.values();
  if (whyNotMapped(column.text, field) !== null) return false;
  switch (field.kind) {
    case 'learner':
      return values.length === 0 || (!areTimes(values) && !areStatusWords(values) && isNoPerson(column));
    case 'timestamp':
      return values.length === 0 || areTimes(values) || (areCounts(values) && isOfTime(column.text));
    case 'identifier':
      return (
        !areAddresses(values) &&
        !areTimes(values) &&
        !areStatusWords(values) &&
        !isOtherThing(column.text) &&
        !isOtherThing(splitGroup(column.text)?.tail ?? '')
      );
    default:
      return true;
  }
}

/**
 * A known name of the field is part of the header: "Course ID (external)". A learner's column is also recognised by addresses.
 */
function isNamedLike(field: Field, column: HeaderColumn, operation: Operation): boolean {
  if (field.kind === 'learner' && areAddresses(column.values())) return true;
  if (aliasMatches(column.text, operation).some((match) => match.field === field.name)) return true;
  const words = ` ${column.text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
  return namesOf(field).some(({ name }) => name.length > 3 && words.includes(` ${name.replace(/-/g, ' ')} `));
}

/** Beside a title, a column without any sign of the content is less likely to name it than the title. */
function showsIt(field: Field, column: HeaderColumn, header: LackingHeader): boolean {
  const values = column.values();
  if (field.kind === 'timestamp') return areTimes(values);
  return field.kind === 'identifier' && header.title === null && values.length > 0;
}

function isNoPerson(column: HeaderColumn): boolean {
  return areAddresses(column.values()) || !isOtherThing(column.text);
}

function areCounts(values: readonly Cell[]): boolean {
  return (
    values.length > 0 &&
    values.every((cell) => typeof cell === 'number' || /^\d+(?:\.\d+)?$/.test(String(cell)))
  );
}

const isOfTime = hasWordOf('other-headers.date', 'other-headers.time', 'other-headers.completion');

/**
 * Headers of columns that name no content: people and where they work, lengths of time, results and remarks. Used for
 * suggestions, never for reading.
 */
const isOtherThing = hasWordOf('other-headers.other-things');

/** The entries as a YAML flow map; null becomes an ellipsis. */
function flowMap(entries: readonly (readonly [string, string | null])[]): string {
  return `{ ${entries.map(([key, value]) => `${key}: ${value === null ? '…' : yamlText(value)}`).join(', ')} }`;
}

function yamlText(text: string): string {
  const isBare =
    /^\p{L}[\p{L}\p{N} _.-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isBare && text.trim() === text ? text : JSON.stringify(text.replace(/\$\{/g, () => '$${'));
}
