import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import type { PreparedRecord } from './keys.js';
import type { ContentFields, Field, Operation } from './operation.js';

/**
 * The fields of a record that are sent and that no other column holds, as a JSON object; the same for the same record,
 * whatever the order of its fields. Learner, content and time have columns of their own.
 */
export function recordText(operation: Operation, { fields }: NormalisedRecord): string {
  let text = '';
  for (const name of keptFields(operation)) {
    const value = fields[name];
    if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${jsonOf(value)}`;
  }
  return `{${text}}`;
}

function jsonOf(value: FieldValue): string {
  if (typeof value !== 'string') return String(value);
  return NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** Characters that JSON escapes; most texts have none. */
const NEEDS_ESCAPE = /[^ !#-[\]-~]/;

/** Computed once for each operation, not for each of a million records. */
const cache = new WeakMap<Operation, readonly string[]>();

/** The names of the fields that `recordText` writes. */
function keptFields(operation: Operation): readonly string[] {
  const cached = cache.get(operation);
  if (cached !== undefined) return cached;
  const { learner, content, occurrence } = operation;
  const elsewhere = new Set([learner?.type, learner?.id, ...identifying(content), occurrence]);
  const names = operation.fields.filter(isKept).map(({ name }) => name);
  const ownFields = names.filter((name) => !elsewhere.has(name));
  cache.set(operation, ownFields);
  return ownFields;
}

/** Fields of the other kinds say how a row is read, and are no part of its record. */
function isKept({ sent }: Field): boolean {
  return sent;
}

function identifying({ type, idType, id, part }: ContentFields): (string | undefined)[] {
  return ['field' in type ? type.field : undefined, idType, id, part];
}

/** A kept record in the pieces that it is kept in. Personal. */
export interface RecordParts extends Pick<PreparedRecord, 'learner' | 'content' | 'text'> {
  readonly occurredAt: string | null;
}

export function recordOf(operation: Operation, { keys, ...prepared }: PreparedRecord): NormalisedRecord {
  return { fields: fieldsOf(operation, { ...prepared, occurredAt: keys.occurredAt }) ?? {} };
}

/** The fields of a record. null where its text isn't a JSON object. Personal. */
export function fieldsOf(
  operation: Operation,
  { learner: who, content: what, occurredAt, text }: RecordParts,
): NormalisedRecord['fields'] | null {
  const others = parsed(text);
  if (others === null) return null;
  const { learner, content, occurrence } = operation;
  const { type, idType, id, part, title } = content;
  // A title that is sent is the record's own.
  const isOwn = title !== undefined && keptFields(operation).includes(title);
  const entries: [string | null | undefined, FieldValue | null | undefined][] = [
    [learner?.id, who?.id],
    [learner?.type, who?.type],
    [id, what.id],
    [idType, what.idType],
    ['field' in type ? type.field : null, what.type],
    [occurrence, occurredAt],
    [part, what.part],
    [title, isOwn ? null : what.title],
    ...Object.entries(others),
  ];
  const fields: Record<string, FieldValue> = {};
  for (const [field, value] of entries) if (field != null && value != null) fields[field] = value;
  return fields;
}

/** null: the text isn't a JSON object. */
function parsed(record: string): Record<string, FieldValue> | null {
  try {
    const value: unknown = JSON.parse(record);
    return typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, FieldValue> | null)
      : null;
  } catch {
    // The parser's message quotes the text, which is personal.
    return null;
  }
}
