import { isoFromMs } from '../../domain/clock.js';
import { change, type Ledger, query } from '../store/query.js';

/** Notes that a run found the file of a drop to hold something else than what was taken in. */
export async function noteChanged(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  await change(
    ledger,
    query
      .insertInto('changed_file')
      .values({ drop_id: dropId, run_id: runId, noticed_at: isoFromMs(ledger.clock.nowMs()) })
      .onConflict((conflict) => conflict.doNothing()),
  );
}
