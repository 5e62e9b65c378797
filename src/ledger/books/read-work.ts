import { sql } from 'kysely';
import { openDecisions, type RecordedDecision } from '../decisions/decision-log.js';
import { restoredAt } from '../decisions/restored.js';
import { type UnfinishedDrop, unfinishedDrop } from '../drops/drops.js';
import { type HeldLease, heldLeases } from '../leases/held-leases.js';
import { first, type Ledger, query, reading } from '../store/query.js';
import { waitingEnvironments } from '../submissions/queue.js';

/** What is under way, and what was left by processes that died, was killed or never ended. */
export interface WorkUnderWay {
  /** The leases that somebody holds, or held when it died. */
  readonly leases: readonly HeldLease[];
  /** The drop that is half staged: its process died, or somebody is at it now; null: none is. */
  readonly staging: UnfinishedDrop | null;
  /** Decisions that are not carried out to their end, oldest first. */
  readonly decisions: readonly RecordedDecision[];
  /** Names of the environments that have rows waiting, those of a drop that is still being staged among them. */
  readonly waiting: readonly string[];
  /** ISO time of a restore that nobody has finished yet; null: there is none. */
  readonly restoredAt: string | null;
  /** The latest ISO time at which any run began; null before the first. Later than now where the clock was set back. */
  readonly newestRunAt: string | null;
}

/** Reads what is under way: leases, a half staged drop, decisions and restores without an end, what waits, the latest run. */
export async function readWork(ledger: Ledger): Promise<WorkUnderWay> {
  return reading(ledger, async (ledger) => {
    const newest = await first(
      ledger,
      query.selectFrom('run').select(sql<string | null>`max(started_at)`.as('at')),
    );
    return {
      leases: await heldLeases(ledger),
      staging: (await unfinishedDrop(ledger)) ?? null,
      decisions: await openDecisions(ledger),
      waiting: await waitingEnvironments(ledger),
      restoredAt: restoredAt(ledger),
      newestRunAt: newest?.at ?? null,
    };
  });
}
