import type { FieldValue, NormalisedRecord } from '../../../domain/record.js';
import type { Field, Operation } from '../../../operations/operation.js';
import { OCCURRENCE_DIGITS, timeIn } from './occurrence.js';

/**
 * A record as the ledger keeps it: its shape, which many records have in common, apart from its own values. The same for the same
 * record, whatever the order of its fields.
 */
export interface RecordText {
  /** JSON object of the operation's fields: each with its choice, with the marker for the time in the key, or with null. */
  readonly shape: string;
  /** JSON array: the values of the fields that are null in the shape, in its order; null for those the record lacks. */
  readonly values: string;
  /** The parts of both that are sent, to be hashed; without the time in the key. */
  readonly sent: string;
}

/**
 * Decodes a record as the ledger returns it: its shape, a line end, the time in its key as hex digits, and its values. null where
 * it was erased, or is damaged beyond reading.
 */
export function fieldsIn(encoded: string | null): NormalisedRecord['fields'] | null {
  if (encoded === null) return null;
  const shapeEnd = encoded.indexOf('\n');
  const timeEnd = shapeEnd + 1 + OCCURRENCE_DIGITS;
  let values: unknown;
  try {
    values = JSON.parse(encoded.slice(timeEnd));
  } catch {
    // The parser's message quotes the text, which is personal.
    return null;
  }
  if (!Array.isArray(values)) return null;
  const fields: Record<string, FieldValue> = {};
  let place = 0;
  for (const [name, said] of shapeFields(encoded.slice(0, shapeEnd))) {
    const value =
      said === null ? values[place++] : isInKey(said) ? timeIn(encoded.slice(shapeEnd + 1, timeEnd)) : said;
    if (value !== null && value !== undefined) fields[name] = value as FieldValue;
  }
  return fields;
}

/** The text that `fieldsIn` decodes; the ledger's view builds the same. */
export function toldRecord(shape: string, occurrence: string, values: string): string {
  return `${shape}\n${occurrence}${values}`;
}

/** The index of a field's value among the values that a shape leaves open; null where it isn't among them. */
export function placeIn(shape: string, field: string): number | null {
  const open = shapeFields(shape).filter(([, said]) => said === null);
  const place = open.findIndex(([name]) => name === field);
  return place === -1 ? null : place;
}

/** Shapes are few, and each of them is parsed once. */
const parsed = new Map<string, ShapeFields>();
const MOST_PARSED = 1_000;

/** A shape's entry for each field: its value, the marker for the time in the key, or nothing. */
type ShapeFields = readonly (readonly [name: string, said: FieldValue | InKey | null])[];

interface InKey {
  readonly in: 'key';
}

const IN_KEY: InKey = { in: 'key' };

function isInKey(said: FieldValue | InKey): said is InKey {
  return typeof said === 'object';
}

function shapeFields(shape: string): ShapeFields {
  const before = parsed.get(shape);
  if (before !== undefined) return before;
  if (parsed.size === MOST_PARSED) parsed.clear();
  const fields = Object.entries(JSON.parse(shape) as Record<string, FieldValue | InKey | null>);
  parsed.set(shape, fields);
  return fields;
}

/** Divides a record into its shape and its values. */
export function recordText(operation: Operation, { fields }: NormalisedRecord): RecordText {
  const { open, sentOpen, shapeOf } = layoutOf(operation);
  const { shape, sentChoices } = shapeOf(fields);
  let values = '';
  let sent = '';
  // Missing values at the end are left out, so that a field which a later version adds there changes nothing.
  let missing = '';
  for (let place = 0; place < open.length; place += 1) {
    const value = fields[open[place] as string];
    if (value === undefined) missing += place === 0 ? 'null' : ',null';
    else {
      values += missing + (place === 0 ? '' : ',') + jsonOf(value);
      missing = '';
    }
    if (place === sentOpen - 1) {
      sent = values;
    }
  }
  return { shape, values: `[${values}]`, sent: `${sentChoices}[${sent}]` };
}

function jsonOf(value: FieldValue): string {
  if (typeof value !== 'string') return String(value);
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** Characters that JSON escapes; most texts have none. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** How an operation's records are kept. */
interface Layout {
  /** The fields whose values are kept with each record, those that are sent first. */
  readonly open: readonly string[];
  /** How many of them are sent. */
  readonly sentOpen: number;
  readonly shapeOf: (fields: NormalisedRecord['fields']) => Shape;
}

interface Shape {
  readonly shape: string;
  /** JSON object of the choices that are sent. */
  readonly sentChoices: string;
}

/** Computed once for each operation, not for each of a million records. */
const layouts = new WeakMap<Operation, Layout>();

function layoutOf(operation: Operation): Layout {
  const before = layouts.get(operation);
  if (before !== undefined) return before;
  const kept = operation.fields.filter(({ kind }) => !NO_FIELDS.has(kind));
  const fields = [...kept.filter(({ sent }) => sent), ...kept.filter(({ sent }) => !sent)];
  const open = fields.filter(({ kind, name }) => kind !== 'choice' && name !== operation.occurrence);
  const layout = {
    open: open.map(({ name }) => name),
    sentOpen: open.filter(({ sent }) => sent).length,
    shapeOf: shaper(fields, operation.occurrence),
  };
  layouts.set(operation, layout);
  return layout;
}

/** Fields of these kinds say how a row is read, and are not part of its record. */
const NO_FIELDS: ReadonlySet<Field['kind']> = new Set(['status', 'zone', 'time']);

/** Most records have the choices of the one before them. */
function shaper(fields: readonly Field[], occurrence: string | null): Layout['shapeOf'] {
  const choices = fields.filter(({ kind }) => kind === 'choice').map(({ name }) => name);
  let last: readonly (FieldValue | undefined)[] | null = null;
  let lastShape: Shape = { shape: '', sentChoices: '' };
  return (given) => {
    if (last?.every((value, index) => value === given[choices[index] as string])) return lastShape;
    const shown = fields.filter(({ name, kind }) => kind !== 'choice' || given[name] !== undefined);
    const saidOf = ({ name, kind }: Field) =>
      [name, kind === 'choice' ? given[name] : name === occurrence ? IN_KEY : null] as const;
    lastShape = {
      shape: JSON.stringify(Object.fromEntries(shown.map(saidOf))),
      sentChoices: JSON.stringify(
        Object.fromEntries(shown.filter(({ kind, sent }) => kind === 'choice' && sent).map(saidOf)),
      ),
    };
    last = choices.map((name) => given[name]);
    return lastShape;
  };
}
