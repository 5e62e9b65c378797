import { filterSeries, mapSeries } from '../../domain/process/series.js';
import { type Ledger, reading } from '../store/query.js';
import { corrections } from './corrections.js';
import { hasRows, learnerOfHash } from './learner-rows.js';
import { suppressedLearners } from './suppressions.js';

/** What people have decided about learners. Personal. */
export type KnownLearners = Awaited<ReturnType<typeof knownLearners>>;

/**
 * Reads the corrected identifiers and the forgotten learners: rows that come in are read with both.
 * @param hashes learners (hex hashes) to look up: who they are, and whether they have rows.
 */
export function knownLearners(ledger: Ledger, hashes: readonly string[] = []) {
  return reading(ledger, async (ledger) => {
    const named = await mapSeries(new Set(hashes), async (hash) => learnerOfHash(ledger, hash));
    return {
      corrections: await corrections(ledger),
      /** Hashes of forgotten learners: rows about them are not kept. */
      suppressed: await suppressedLearners(ledger),
      /** Hashes of the requested learners with a submission, even in a drop that is being staged. */
      withRows: new Set(await filterSeries(hashes, async (hash) => hasRows(ledger, hash))),
      /** The requested learners whose identifiers are kept, by their hashes. */
      named: new Map(named.flatMap((learner) => (learner === null ? [] : [[learner.hash, learner]]))),
    };
  });
}
