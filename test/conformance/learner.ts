import type { Identified } from '../../src/domain/learners/corrected-learners.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { keyMaker } from '../../src/operations/keys.js';

/** A learner by an address, as the ledger is asked about one. */
export function learner(ledger: Ledger, id: string): Identified {
  return { type: 'Email', id, hash: keyMaker(ledger.salt).learner('Email', id) };
}
