import { filterInTurn, inTurn } from '../../domain/process/in-turn.js';
import { suppressedLearners } from '../erasure/suppressions.js';
import { type Ledger, reading } from '../store/query.js';
import { type Correction, corrections, type Identified } from './corrections.js';
import { hasRows, learnerOfHash } from './learner-rows.js';

/** What people have decided about learners. Personal. */
export interface KnownLearners {
  /** Identifiers that others count in the place of. */
  readonly corrections: readonly Correction[];
  /** Hashes of those who were forgotten: rows about them are not kept. */
  readonly suppressed: ReadonlySet<string>;
  /** Of the learners who were asked for, by their hashes: those whom a row names that was not erased. */
  readonly named: ReadonlyMap<string, Identified>;
  /** Hashes of those of them about whom a submission is, be it of a drop that is being staged. */
  readonly withRows: ReadonlySet<string>;
}

/**
 * Gives whose identifiers were corrected, and who was forgotten: rows that come in are read by both.
 * @param hashes learners (hex hashes) of whom is wanted as well who they are and whether they have rows.
 */
export function knownLearners(ledger: Ledger, hashes: readonly string[] = []): Promise<KnownLearners> {
  return reading(ledger, async (ledger) => {
    const named = await inTurn(new Set(hashes), async (hash) => learnerOfHash(ledger, hash));
    return {
      corrections: await corrections(ledger),
      suppressed: await suppressedLearners(ledger),
      withRows: new Set(await filterInTurn(hashes, async (hash) => hasRows(ledger, hash))),
      named: new Map(named.flatMap((learner) => (learner === null ? [] : [[learner.hash, learner]]))),
    };
  });
}
