import type { SourceConfig } from '../../config/schema.js';
import { knownLearners } from '../../ledger/decisions/known-learners.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type Preparation, preparationOf } from './preparation.js';

/** How a source's rows are prepared by what the ledger has now. */
export async function preparationNow(ledger: Ledger, source: SourceConfig): Promise<Preparation> {
  return preparationOf(source, { salt: ledger.salt, ...(await knownLearners(ledger)) }, ledger.clock);
}
