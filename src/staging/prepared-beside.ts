import type { SourceConfig } from '../config/schema.js';
import { knownLearners } from '../ledger/decisions/known-learners.js';
import type { Ledger } from '../ledger/store/query.js';
import { keyMaker } from '../ledger/submissions/keys.js';
import { operationNamed } from '../operations/registry.js';
import type { PreparedBeside } from './prepare-rows.js';

/** What a source's rows are prepared by, beside what the ledger knows by now. */
export async function preparedBeside(ledger: Ledger, source: SourceConfig): Promise<PreparedBeside> {
  const { corrections, suppressed } = await knownLearners(ledger);
  const keys = keyMaker(ledger.salt);
  return {
    operation: operationNamed(source.operation),
    source,
    keys,
    clock: ledger.clock,
    suppressed,
    corrections,
  };
}
