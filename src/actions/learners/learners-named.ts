import type { Identified } from '../../domain/learners/corrected-learners.js';
import type { Selection } from '../../domain/selection.js';
import type { Ledger } from '../../ledger/store/query.js';
import { readLearnerId } from '../../normalise/values/email.js';
import { keyMaker } from '../../operations/keys.js';
import { OPERATIONS } from '../../operations/registry.js';

export const IDENTIFIER_TYPES: readonly string[] = [
  ...new Set(
    OPERATIONS.flatMap(
      ({ fields }) => fields.find(({ name }) => name === 'user-identifier-type')?.choices ?? [],
    ),
  ),
];

/** A selection with the learners whom it names; null: it names none. */
export function withLearners(ledger: Ledger, selection: Selection) {
  const { learner } = selection;
  return { selection, learners: learner === null ? null : learnersNamed(ledger, learner) };
}

/**
 * The learners whom a text may name, one for each identifier type. It is read as staging reads cells, so that
 * `Jane <JANE@example.com>` is jane@example.com; its own spelling and the one in lower case count too.
 */
export function learnersNamed(ledger: Ledger, text: string): readonly Identified[] {
  const keys = keyMaker(ledger.salt);
  return IDENTIFIER_TYPES.flatMap((type) => {
    const reading = readLearnerId(type, text, { column: '' });
    const read = 'value' in reading && reading.value !== null ? [reading.value] : [];
    const spellings = new Set([...read, text.trim(), text.trim().toLowerCase()]);
    return [...spellings].map((id) => ({ type, id, hash: keys.learner(type, id) }));
  });
}
