import type { Identified } from '../../ledger/decisions/corrections.js';
import type { Ledger } from '../../ledger/store/query.js';
import { keyMaker } from '../../ledger/submissions/record/keys.js';
import { readLearnerId } from '../../normalise/values/learner.js';
import { OPERATIONS } from '../../operations/registry.js';

/** The identifier types that the operations know. */
export const IDENTIFIER_TYPES: readonly string[] = [
  ...new Set(
    OPERATIONS.flatMap(
      ({ fields }) => fields.find(({ name }) => name === 'user-identifier-type')?.choices ?? [],
    ),
  ),
];

/**
 * Whoever a text may name, one for each identifier type: people name a learner without saying by what. A text is read as
 * staging reads cells, so that `Jane <JANE@example.com>` is jane@example.com; beside that its own spelling counts, and
 * that in lower case.
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
