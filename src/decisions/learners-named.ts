import type { Identified } from '../ledger/corrections.js';
import { keyMaker } from '../ledger/keys.js';
import type { Ledger } from '../ledger/query.js';
import { OPERATIONS } from '../operations/registry.js';

/** The identifier types that the operations know. */
export const IDENTIFIER_TYPES: readonly string[] = [
  ...new Set(
    OPERATIONS.flatMap(
      ({ fields }) => fields.find(({ name }) => name === 'user-identifier-type')?.choices ?? [],
    ),
  ),
];

/**
 * Whoever a text may name, one for each identifier type: people name a learner without saying by what. E-mail
 * addresses are compared in lower case, as they are staged, so that is one spelling; the other is the text's own.
 */
export function learnersNamed(ledger: Ledger, text: string): readonly Identified[] {
  const keys = keyMaker(ledger.salt);
  const spellings = [...new Set([text.trim(), text.trim().toLowerCase()])];
  return IDENTIFIER_TYPES.flatMap((type) =>
    spellings.map((id) => ({ type, id, hash: keys.learner(type, id) })),
  );
}
