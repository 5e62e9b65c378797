import type { SourceConfig } from '../../config/schema.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type Preparation, preparationOf } from './preparation.js';

/** The same by what the ledger knows now; apart from it, because the thread that prepares rows opens no ledger. */
export async function preparationNow(ledger: Ledger, source: SourceConfig): Promise<Preparation> {
  return preparationOf(source, { salt: ledger.salt, ...(await knownLearners(ledger)) }, ledger.clock);
}
