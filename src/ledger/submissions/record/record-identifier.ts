import type { NormalisedRecord } from '../../../domain/record.js';
import type { Operation } from '../../../operations/operation.js';
import { correctedLearners } from '../../decisions/corrected-learners.js';
import type { Correction } from '../../decisions/corrections.js';
import type { KeyMaker, RecordKeys } from './keys.js';
import { type RecordText, recordText } from './record-text.js';

/** A record with its keys, once the corrections of its learner were applied. */
export interface IdentifiedRecord {
  readonly record: NormalisedRecord;
  /** The record as the ledger keeps it. */
  readonly text: RecordText;
  readonly keys: RecordKeys;
  /** Its keys under each former identifier of its learner. */
  readonly formers: readonly RecordKeys[];
}

/** The function that puts a record's corrected learner into it and gives it its keys. */
export function recordIdentifier(
  operation: Operation,
  environment: string,
  keys: KeyMaker,
  corrections: readonly Correction[],
): (record: NormalisedRecord) => IdentifiedRecord {
  const written = (record: NormalisedRecord) => {
    const text = recordText(operation, record);
    return { record, text, keys: keys.record(operation, environment, record, text), formers: NONE };
  };
  if (corrections.length === 0) return written;
  const learners = correctedLearners(corrections);
  return (given) => {
    const asGiven = written(given);
    const { learner } = asGiven.keys;
    if (learner === null) return asGiven;
    const corrected = learners.inPlaceOf(learner);
    const formers = learners.formersOf(corrected?.hash ?? learner);
    return {
      ...(corrected ? written(operation.aboutLearner(given, corrected)) : asGiven),
      formers: formers.map((former) => written(operation.aboutLearner(given, former)).keys),
    };
  };
}

const NONE: readonly RecordKeys[] = [];
