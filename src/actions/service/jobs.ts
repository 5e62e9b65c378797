import type { Decider } from '../../domain/decider.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { JobSlot } from '../../domain/process/job.js';
import { recordEvent } from '../../ledger/access/audit-log.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { registerJobs, type SlotWork, withSlot } from '../../ledger/leases/jobs.js';
import { withLeases } from '../../ledger/leases/leases.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** Registers the jobs of a service. Slots that were due before don't count as missed. */
export async function registerServiceJobs({ ledger }: ActionContext, jobs: readonly string[]): Promise<void> {
  await registerJobs(ledger, jobs);
}

/** Facts about jobs, ordered by name. */
export async function jobFacts({ ledger }: Pick<ActionContext, 'ledger'>, jobs: readonly string[]) {
  return (await readState(ledger, ['jobs'], { jobs })).jobs;
}

/**
 * Runs a job now, on request. No slot is recorded, and no other process runs the job meanwhile.
 * Throws OperatorError while another process does.
 * @param work gets the ISO time up to which slots are done, and whether a service is running, which delivers.
 */
export async function runJobNow<Result>(
  { ledger }: Pick<ActionContext, 'ledger'>,
  job: string,
  who: Decider,
  work: (facts: { sinceAt: string; isServed: boolean }, lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  requireInPlace(ledger);
  await registerJobs(ledger, [job]);
  const result = await withLeases(ledger, [`job:${job}`], thisProcess(), null, async ({ lost }) => {
    await recordEvent(ledger, 'start-line', who, { subject: job });
    const { jobs, services } = await readState(ledger, ['jobs', 'services'], { jobs: [job] });
    return work({ sinceAt: jobs[0]?.sinceAt ?? '', isServed: services.some(({ isAlive }) => isAlive) }, lost);
  });
  if ('done' in result) return result.done;
  const message = `process ${result.holder.pid} is working on it`;
  throw errorsOf('start a line of the schedule')(job, message, 'Wait for its end.');
}

/** Runs a slot of a job, once across all services. @param work see `withSlot`. @returns what `withSlot` returns. */
export async function runSlot<Result>(
  { ledger }: ActionContext,
  slot: JobSlot,
  work: (lost: AbortSignal) => Promise<SlotWork<Result>>,
) {
  // The service may have had the ledger open for long.
  requireInPlace(ledger);
  return withSlot(ledger, slot, thisProcess(), work);
}
