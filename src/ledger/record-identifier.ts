import type { NormalisedRecord } from '../domain/record.js';
import type { Operation } from '../operations/operation.js';
import { correctedLearners } from './corrected-learners.js';
import type { Correction } from './corrections.js';
import type { KeyMaker, RecordKeys } from './keys.js';

/** A record with its keys, once the corrections of its learner were applied. */
export interface IdentifiedRecord {
  readonly record: NormalisedRecord;
  readonly keys: RecordKeys;
  /** Its keys under each identifier in whose place its learner's counts. */
  readonly formers: readonly RecordKeys[];
}

/** The function that puts a record's corrected learner into it and gives it its keys. */
export function recordIdentifier(
  operation: Operation,
  environment: string,
  keys: KeyMaker,
  corrections: readonly Correction[],
): (record: NormalisedRecord) => IdentifiedRecord {
  const keysOf = (record: NormalisedRecord) => keys.record(operation, environment, record);
  if (corrections.length === 0) return (record) => ({ record, keys: keysOf(record), formers: NONE });
  const learners = correctedLearners(corrections);
  return (given) => {
    const givenKeys = keysOf(given);
    if (givenKeys.learner === null) return { record: given, keys: givenKeys, formers: NONE };
    const corrected = learners.inPlaceOf(givenKeys.learner);
    const record = corrected ? operation.aboutLearner(given, corrected) : given;
    const formers = learners.formersOf(corrected?.hash ?? givenKeys.learner);
    return {
      record,
      keys: corrected ? keysOf(record) : givenKeys,
      formers: formers.map((former) => keysOf(operation.aboutLearner(given, former))),
    };
  };
}

const NONE: readonly RecordKeys[] = [];
