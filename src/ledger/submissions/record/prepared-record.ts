import type { NormalisedRecord } from '../../../domain/record.js';
import { summedText, textSum } from './checksum.js';
import { occurrencePart, type RecordIdentity } from './keys.js';
import type { IdentifiedRecord } from './record-identifier.js';
import { fieldsIn, type RecordText, toldRecord } from './record-text.js';

/** A record ready to be written, with its keys. */
export interface PreparedRecord {
  readonly record: Pick<RecordText, 'shape' | 'values'>;
  readonly keys: RecordIdentity;
  /** Key, content and values in sequence, as they are summed and passed from thread to thread. */
  readonly text: string;
  /** Checksum of all of it. */
  readonly sum: number;
  /** Its keys under each former identifier of its learner; absent: there is none. */
  readonly formers?: readonly RecordIdentity[];
}

/** Prepares a record for writing, on any thread. */
export function preparedRecord({ text, keys, formers }: IdentifiedRecord): PreparedRecord {
  const whole = summedText(keys, text);
  const prepared = { record: text, keys, text: whole, sum: textSum(whole, text.shape) };
  return formers.length === 0 ? prepared : { ...prepared, formers };
}

/** The encoded record, as the ledger would return it: the same text for the same record. */
export function toldOf({ record, keys }: PreparedRecord): string {
  return toldRecord(record.shape, occurrencePart(keys.key), record.values);
}

/** The record in the form that its operation takes. */
export function recordOf(prepared: PreparedRecord): NormalisedRecord {
  return { fields: fieldsIn(toldOf(prepared)) ?? {} };
}
