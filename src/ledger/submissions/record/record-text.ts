import type { FieldValue, NormalisedRecord } from '../../../domain/record.js';
import type { Field, Operation } from '../../../operations/operation.js';
import { OCCURRENCE_DIGITS, timeIn } from './occurrence.js';

/**
 * A record as the ledger keeps it: what is the same for many of them, its shape, apart from its own values. The same for the
 * same record, whatever order its fields come in.
 */
export interface RecordText {
  /** JSON object of the operation's fields: with the choice, the word that it is the time in the key, or null. */
  readonly shape: string;
  /** JSON array: the values of the fields that are null in the shape, in its order; null for those the record lacks. */
  readonly values: string;
  /** What of both is sent, to be hashed; without the time in the key. */
  readonly sent: string;
}

/**
 * The fields of a record as the ledger tells it: its shape, a line end, the time in its key as hex digits, and its values. null
 * where it was erased, or is damaged so that nobody can read it.
 */
export function fieldsIn(encoded: string | null): NormalisedRecord['fields'] | null {
  if (encoded === null) return null;
  const shapeEnd = encoded.indexOf('\n');
  const timeEnd = shapeEnd + 1 + OCCURRENCE_DIGITS;
  let values: unknown;
  try {
    values = JSON.parse(encoded.slice(timeEnd));
  } catch {
    // What it says where it breaks is personal.
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

/** The text that `fieldsIn` reads, as the ledger puts it together too. */
export function toldRecord(shape: string, occurrence: string, values: string): string {
  return `${shape}\n${occurrence}${values}`;
}

/** The place of a field's value among those that a shape leaves open; null where it isn't among them. */
export function placeIn(shape: string, field: string): number | null {
  const open = shapeFields(shape).filter(([, said]) => said === null);
  const place = open.findIndex(([name]) => name === field);
  return place === -1 ? null : place;
}

/** Shapes are few, and each of them is parsed once. */
const parsed = new Map<string, ShapeFields>();
const MOST_PARSED = 1_000;

/** What a shape says of each field: its value, that it is the time in the key, or nothing. */
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

/** Takes a record apart. */
export function recordText(operation: Operation, { fields }: NormalisedRecord): RecordText {
  const { open, sentOpen, shapeOf } = layoutOf(operation);
  const { shape, sentChoices } = shapeOf(fields);
  let values = '';
  let sent = '';
  // Values that are missing at the end are left out, so that a field which a later version adds there changes nothing.
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

/** What JSON writes otherwise than it stands; most texts have nothing of it. */
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

/** Worked out once for each operation, not for each of a million records. */
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

/** They say how a row is read, and are no fields of its record. */
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
