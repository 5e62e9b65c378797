import type { NormalisedRecord } from '../../../domain/record.js';
import { summedText, textSum } from './checksum.js';
import { occurrencePart, type RecordIdentity } from './keys.js';
import type { IdentifiedRecord } from './record-identifier.js';
import { fieldsIn, type RecordText, toldRecord } from './record-text.js';

/** A record ready to be written, with its keys. */
export interface PreparedRecord {
  readonly record: Pick<RecordText, 'shape' | 'values'>;
  readonly keys: RecordIdentity;
  /** Key, content and values one behind the other, as they are summed and handed from thread to thread. */
  readonly text: string;
  /** Checksum of all of it. */
  readonly sum: number;
  /** Its keys under each identifier that was corrected to its learner's; absent: there is none. */
  readonly formers?: readonly RecordIdentity[];
}

/** Makes a record ready to be written, on whichever thread. */
export function preparedRecord({ text, keys, formers }: IdentifiedRecord): PreparedRecord {
  const whole = summedText(keys, text);
  const prepared = { record: text, keys, text: whole, sum: textSum(whole, text.shape) };
  return formers.length === 0 ? prepared : { ...prepared, formers };
}

/** The record as the ledger would tell it: the same text for the same record. */
export function toldOf({ record, keys }: PreparedRecord): string {
  return toldRecord(record.shape, occurrencePart(keys.key), record.values);
}

/** The record as its operation takes it. */
export function recordOf(prepared: PreparedRecord): NormalisedRecord {
  return { fields: fieldsIn(toldOf(prepared)) ?? {} };
}
