import { onceFor } from '../domain/process/once.js';
import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import { isObject } from '../domain/text/is-object.js';
import type { PreparedRecord } from './keys.js';
import type { Operation } from './operation.js';

/** The fields that are sent and that no other column holds, as a JSON object, whatever the order of the fields. */
export function recordText(operation: Operation, { fields }: NormalisedRecord): string {
  return JSON.stringify(Object.fromEntries(keptFields(operation).map((name) => [name, fields[name]])));
}

/** Computed once for each operation, not for each of a million records. */
const keptFields = onceFor((operation: Operation): readonly string[] => {
  const { learner, content, occurrence } = operation;
  const { type, idType, id, part } = content;
  const ofContent = ['field' in type ? type.field : undefined, idType, id, part];
  const elsewhere = new Set([learner?.type, learner?.id, ...ofContent, occurrence]);
  // Fields that aren't sent say how a row is read, and are no part of its record.
  return operation.fields.flatMap(({ name, sent }) => (sent && !elsewhere.has(name) ? name : []));
});

/** A kept record in the pieces that it is kept in. Personal. */
export interface RecordParts extends Pick<PreparedRecord, 'learner' | 'content' | 'text'> {
  readonly occurredAt: string | null;
}

export function recordOf(operation: Operation, { keys, ...prepared }: PreparedRecord): NormalisedRecord {
  return { fields: fieldsOf(operation, { ...prepared, occurredAt: keys.occurredAt }) ?? {} };
}

/** null where the text isn't a JSON object. Personal. */
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

function parsed(record: string): Record<string, FieldValue> | null {
  try {
    const value: unknown = JSON.parse(record);
    return isObject(value) ? (value as Record<string, FieldValue>) : null;
  } catch {
    // The parser's message quotes the text, which is personal.
    return null;
  }
}
