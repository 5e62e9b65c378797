import { isoFromMs } from '../../domain/clock.js';
import type { Ledger } from '../store/query.js';

/** A request that is about to leave. */
export interface NewAttempt {
  readonly runId: number;
  readonly environment: string;
  /** Name of the operation. */
  readonly operation: string;
  /** The fence of the lease under which it is made. */
  readonly leaseFence: number;
}

/** Records an attempt that has no answer yet. Call it in a write transaction. @returns its number. */
export async function openAttempt(
  ledger: Ledger,
  { runId, environment, operation, leaseFence }: NewAttempt,
): Promise<number> {
  const started_at = isoFromMs(ledger.clock.nowMs());
  const { id } = await ledger.db
    .insertInto('attempt')
    .values({ run_id: runId, environment, operation, lease_fence: leaseFence, started_at })
    .returning('attempt_id as id')
    .executeTakeFirstOrThrow();
  await ledger.db.insertInto('attempt_open').values({ attempt_id: id, environment }).execute();
  return id;
}
