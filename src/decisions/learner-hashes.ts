import { keyMaker } from '../ledger/keys.js';
import type { Ledger } from '../ledger/query.js';
import { OPERATIONS } from '../operations/registry.js';

/**
 * The hashes a learner has in the ledger under each identifier type the operations know: people name a learner
 * without saying by what. E-mail addresses are compared in lower case, as they are staged.
 */
export function learnerHashes(ledger: Ledger, id: string): readonly string[] {
  const keys = keyMaker(ledger.salt);
  const types = OPERATIONS.flatMap(
    ({ fields }) => fields.find(({ name }) => name === 'user-identifier-type')?.choices ?? [],
  );
  const spellings = new Set([id.trim(), id.trim().toLowerCase()]);
  return [...new Set(types)].flatMap((type) =>
    [...spellings].map((spelling) => keys.learner(type, spelling)),
  );
}
