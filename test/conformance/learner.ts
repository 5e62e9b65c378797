import type { IdentifiedLearner } from '../../src/domain/learners/corrected-learners.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';

/** A learner by an address, as queries of the ledger name one. */
export function learner(ledger: Ledger, id: string): IdentifiedLearner {
  return { type: 'Email', id, hash: keyMaker(ledger.salt).learner('Email', id) };
}
