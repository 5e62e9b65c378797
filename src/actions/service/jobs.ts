import type { JobSlot } from '../../domain/process/job.js';
import { readJobs, registerJobs, type SlotWork, withSlot } from '../../ledger/leases/jobs.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** Makes the jobs of a service known: it is not to blame for what was due before. */
export async function haveJobs({ ledger }: ActionContext, jobs: readonly string[]): Promise<void> {
  await registerJobs(ledger, jobs);
}

/** What is known about jobs, in the order of their names. */
export function jobFacts({ ledger }: Pick<ActionContext, 'ledger'>, jobs: readonly string[]) {
  return readJobs(ledger, jobs);
}

/** Works on a slot of a job, once over all services. @param work see `withSlot`. @returns what `withSlot` returns. */
export async function workOnSlot<Result>(
  { ledger }: ActionContext,
  slot: JobSlot,
  work: (lost: AbortSignal) => Promise<SlotWork<Result>>,
) {
  // The service may have had the ledger open for long.
  requireInPlace(ledger);
  return withSlot(ledger, slot, thisProcess(), work);
}
