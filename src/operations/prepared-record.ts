import { type Correction, correctedLearners } from '../domain/learners/corrected-learners.js';
import type { NormalisedRecord } from '../domain/record.js';
import type { KeyMaker, PreparedRecord, RecordTarget } from './keys.js';
import { aboutLearner, contentOf, learnerOf, occurrenceOf } from './operation.js';
import { recordText } from './record-text.js';

/** Under the identifier that the record has. */
export function preparedRecord(
  target: RecordTarget,
  keys: KeyMaker,
  record: NormalisedRecord,
): PreparedRecord {
  const { operation } = target;
  const learner = learnerOf(operation, record);
  const content = contentOf(operation, record);
  const text = recordText(operation, record);
  const about = {
    learner: learner === null ? null : keys.learner(learner.type, learner.id),
    content: keys.content(content),
    occurredAt: occurrenceOf(operation, record),
  };
  return { keys: { ...about, digest: keys.digest(target, about, text) }, learner, content, text };
}

/** Puts a record's corrected learner into it and prepares it for writing, on any thread. */
export function recordIdentifier(
  target: RecordTarget,
  keys: KeyMaker,
  corrections: readonly Correction[],
): (record: NormalisedRecord) => PreparedRecord {
  const prepared = (record: NormalisedRecord) => preparedRecord(target, keys, record);
  if (corrections.length === 0) return prepared;
  const { operation } = target;
  const learners = correctedLearners(corrections);
  return (record) => {
    const asGiven = prepared(record);
    const { learner } = asGiven.keys;
    if (learner === null) return asGiven;
    const corrected = learners.inPlaceOf(learner);
    const formers = learners.formersOf(corrected?.hash ?? learner);
    const now = corrected ? prepared(aboutLearner(operation, record, corrected)) : asGiven;
    if (formers.length === 0) return now;
    return {
      ...now,
      formers: formers.map((former) => prepared(aboutLearner(operation, record, former)).keys),
    };
  };
}
