import type { SourceConfig } from '../../config/schema.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type Preparation, preparationOf } from './preparation.js';

/** The preparation of a source's rows by the ledger's present facts. */
export async function preparationNow(ledger: Ledger, source: SourceConfig): Promise<Preparation> {
  return preparationOf(source, { salt: ledger.salt, ...(await knownLearners(ledger)) }, ledger.clock);
}
