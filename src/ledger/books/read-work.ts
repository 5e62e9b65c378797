import { sql } from 'kysely';
import { openDecisions, type RecordedDecision } from '../decisions/decision-log.js';
import { restoredAt } from '../decisions/restored.js';
import { type UnfinishedDrop, unfinishedDrop } from '../drops/drops.js';
import { type HeldLease, heldLeases } from '../leases/held-leases.js';
import { first, type Ledger, query, reading } from '../store/query.js';
import { waitingEnvironments } from '../submissions/waiting/queue.js';

/** Work under way, and work that was left unfinished: the process died or was killed, or the work never ended. */
export interface WorkUnderWay {
  /** The leases that a process holds, or held when it died. */
  readonly leases: readonly HeldLease[];
  /** The half-staged drop: its process died, or a process is staging it now; null: there is none. */
  readonly staging: UnfinishedDrop | null;
  /** Decisions that are not carried out to their end, oldest first. */
  readonly decisions: readonly RecordedDecision[];
  /** Names of the environments that have rows waiting, those of a drop that is still being staged among them. */
  readonly waiting: readonly string[];
  /** ISO time of a restore that is not finished yet; null: there is none. */
  readonly restoredAt: string | null;
  /** The latest ISO time at which any run began; null before the first. Later than now where the clock was set back. */
  readonly newestRunAt: string | null;
}

/** Reads the work under way: leases, a half-staged drop, unfinished decisions and restores, waiting rows, the latest run. */
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
