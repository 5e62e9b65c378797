import type { FieldValue, NormalisedRecord } from '../domain/record.js';
import type { Operation } from '../operations/operation.js';

/** A record as JSON of its fields: the same text for the same record, whatever order its fields come in. */
export interface RecordText {
  /** All fields, as the ledger keeps them: those that are sent first. */
  readonly all: string;
  /** Those that are sent. */
  readonly sent: string;
}

/** The fields of a record as the ledger keeps them; null where it was erased, or is damaged so that nobody can read it. */
export function fieldsIn(text: string | null): NormalisedRecord['fields'] | null {
  if (text === null) return null;
  try {
    const fields: unknown = JSON.parse(text);
    return typeof fields === 'object' ? (fields as NormalisedRecord['fields'] | null) : null;
  } catch {
    // What it says where it breaks is personal.
    return null;
  }
}

/** Writes a record, its fields in the operation's order. */
export function recordText(operation: Operation, { fields }: NormalisedRecord): RecordText {
  const names = namesOf(operation);
  const sent = JSON.stringify(pick(fields, names.sent));
  const unsent = JSON.stringify(pick(fields, names.unsent));
  if (unsent === '{}') return { all: sent, sent };
  return { all: sent === '{}' ? unsent : `${sent.slice(0, -1)},${unsent.slice(1)}`, sent };
}

function pick(fields: NormalisedRecord['fields'], names: readonly string[]): Record<string, FieldValue> {
  const picked: Record<string, FieldValue> = {};
  for (const name of names) {
    const value = fields[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

interface FieldNames {
  readonly sent: readonly string[];
  readonly unsent: readonly string[];
}

/** Sorted once for each operation, not for each of a million records. */
const known = new WeakMap<Operation, FieldNames>();

function namesOf(operation: Operation): FieldNames {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const namesWhere = (isSent: boolean) =>
    operation.fields.filter(({ sent }) => sent === isSent).map(({ name }) => name);
  const names = { sent: namesWhere(true), unsent: namesWhere(false) };
  known.set(operation, names);
  return names;
}
