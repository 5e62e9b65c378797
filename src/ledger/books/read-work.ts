import { sql } from 'kysely';
import { openDecisions, type RecordedDecision } from '../decisions/decision-log.js';
import { type UnfinishedDrop, unfinishedDrop } from '../drops/drops.js';
import { type HeldLease, heldLeases } from '../leases/held-leases.js';
import { first, type Ledger, query, reading } from '../store/query.js';
import { restoredAt } from '../submissions/staging/restored.js';
import { countByEnvironment } from '../submissions/waiting/waiting-count.js';

/** Work under way, and work that was left unfinished: the process died or was killed, or the work never ended. */
export interface WorkUnderWay {
  /** The leases that a process holds, or held when it died. */
  readonly leases: readonly HeldLease[];
  /** The half-staged drop: its process died, or a process is staging it now; null: there is none. */
  readonly staging: UnfinishedDrop | null;
  /** Decisions that are not carried out to their end, oldest first. */
  readonly decisions: readonly RecordedDecision[];
  /** Names of the environments that have rows of published drops waiting. */
  readonly waiting: readonly string[];
  /** Rows that were being sent when their process died, by environment: the next push there settles them. */
  readonly abandoned: readonly { readonly environment: string; readonly rows: number }[];
  /** ISO time of a restore that is not finished yet; null: there is none. */
  readonly restoredAt: string | null;
  /** The latest ISO time at which any run began; null before the first. Later than now where the clock was set back. */
  readonly newestRunAt: string | null;
}

/**
 * Reads what is under way and what is left to do. Delivery, intake, decisions, status and health all go by it, so that no work is
 * left that one of them takes for done.
 */
export async function readWork(ledger: Ledger): Promise<WorkUnderWay> {
  return reading(ledger, async (ledger) => {
    const newest = await first(
      ledger,
      query.selectFrom('run').select(sql<string | null>`max(started_at)`.as('at')),
    );
    const leases = await heldLeases(ledger);
    const isSent = (environment: string) =>
      leases.some(({ name, isAlive }) => isAlive && name === `push:${environment}`);
    return {
      leases,
      staging: (await unfinishedDrop(ledger)) ?? null,
      decisions: await openDecisions(ledger),
      waiting: (await countByEnvironment(ledger, 'waiting')).map(({ environment }) => environment),
      abandoned: (await countByEnvironment(ledger, 'sending'))
        .filter(({ environment }) => !isSent(environment))
        .map(({ environment, count }) => ({ environment, rows: count })),
      restoredAt: restoredAt(ledger),
      newestRunAt: newest?.at ?? null,
    };
  });
}
