import { failpoint } from '../../domain/process/failpoint.js';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import { adoptDeadRuns, leaseOfRun, whileAlive } from '../leases/leases.js';
import type { Owner } from '../leases/owner.js';
import { beginRun, endRun } from '../leases/runs.js';
import { type Ledger, writing } from '../store/query.js';
import { endOutagesBeside } from './outages.js';

export interface NewRun {
  readonly trigger: RunTrigger;
  readonly owner: Owner;
  readonly version: string;
  /**
   * All configured environments, for a run whose report is shown: it ends the outages of others, and adopts runs that
   * died or ended with an error. null: the next run does both.
   */
  readonly environments: readonly string[] | null;
}

export interface BegunRun {
  readonly runId: number;
  /** How many runs it has adopted: runs that died or ended with an error. */
  readonly adopted: number;
}

/**
 * Runs `work` as a run, whose number marks its entries in the ledger, and records how the run ended: by its result,
 * or with `error`. A run whose process dies stays open until a later run adopts it.
 * @param endOf how it ended.
 */
export async function withRun<T>(
  ledger: Ledger,
  { trigger, owner, version, environments }: NewRun,
  work: (run: BegunRun) => Promise<T>,
  endOf: (done: T) => RunEnd,
): Promise<T> {
  const { lease, ...run } = await writing(ledger, async (ledger) => {
    const runId = await beginRun(ledger, trigger, owner, version);
    const lease = await leaseOfRun(ledger, runId, owner);
    if (environments === null) return { runId, adopted: 0, lease };
    await endOutagesBeside(ledger, environments);
    return { runId, adopted: await adoptDeadRuns(ledger, runId, owner), lease };
  });
  failpoint('run-begun');
  const done = await whileAlive(ledger, lease, () => work(run)).catch(async (error: unknown) => {
    // A later run closes a run that can't be closed now; report the original error.
    await endRun(ledger, run.runId, 'error').catch(() => {});
    throw error;
  });
  await endRun(ledger, run.runId, endOf(done));
  failpoint('run-ended');
  return done;
}
