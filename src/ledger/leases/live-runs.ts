import { sql } from 'kysely';
import { type Ledger, writing } from '../store/query.js';
import { heldLeases, isLease, type Lease, type LeaseName, takeLease, withLease } from './leases.js';
import { isGone, isShared, type Owner } from './owner.js';
import { endRun } from './runs.js';

/**
 * Takes the lease of a run in a ledger of several machines, whose heartbeat shows that the run is alive; null for a
 * file, where the process shows it. Call it in the transaction that begins the run.
 */
export async function leaseOfRun(ledger: Ledger, runId: number, owner: Owner): Promise<Lease | null> {
  if (!isShared(ledger)) return null;
  const lease = await takeLease(ledger, `run:${runId}`, owner, runId);
  return isLease(lease) ? lease : null;
}

/** Runs the work of a run while its lease is renewed. @param lease from `leaseOfRun`. */
export async function whileAlive<T>(ledger: Ledger, lease: Lease | null, work: () => Promise<T>): Promise<T> {
  if (lease === null) return work();
  try {
    return await withLease(ledger, lease, work);
  } finally {
    await ledger.db.deleteFrom('lease').where('name', '=', lease.name).execute();
  }
}

/**
 * Closes the runs whose process certainly died, or whose heartbeat from another machine has stopped. `runId` adopts
 * them and the runs that ended with an error: its report and its exit code cover their unfinished work, which no
 * other run would report.
 * @returns the number of adopted runs.
 */
export async function adoptDeadRuns(ledger: Ledger, runId: number, here: Owner): Promise<number> {
  let adopted = 0;
  const open = await ledger.db
    .selectFrom('run')
    .selectAll()
    .where('run_id', '<', runId)
    .where(sql<boolean>`ended_at is null or (ending = 'error' and adopted_by is null)`)
    .execute();
  const alive = isShared(ledger) ? await livingRuns(ledger) : null;
  for (const run of open) {
    const holder = { pid: run.pid, pidStarted: run.pid_started, host: run.host };
    const isOver = isGone(ledger, holder, run.boot, here.host) || alive?.has(`run:${run.run_id}`) === false;
    if (run.ended_at === null && !isOver) continue;
    adopted += 1;
    await writing(ledger, async (ledger) => {
      await endRun(ledger, run.run_id, 'died');
      await ledger.db
        .updateTable('run')
        .set({ adopted_by: runId })
        .where(sql<boolean>`run_id = ${run.run_id} or adopted_by = ${run.run_id}`)
        .execute();
      await ledger.db.deleteFrom('lease').where('name', '=', `run:${run.run_id}`).execute();
    });
  }
  return adopted;
}

async function livingRuns(ledger: Ledger): Promise<ReadonlySet<LeaseName>> {
  const held = await heldLeases(ledger, 'runs');
  return new Set(held.flatMap(({ name, isAlive }) => (isAlive ? [name] : [])));
}
