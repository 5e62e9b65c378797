import { isoFromMs } from '../../domain/clock.js';
import type { Decider } from '../../domain/decider.js';
import type { JobFacts, JobSlot } from '../../domain/process/job.js';
import { recordEvent } from '../../ledger/access/audit-log.js';
import { readJobs, registerJobs, type SlotWork, withSlot } from '../../ledger/leases/jobs.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** Makes the jobs of a service known: it is not to blame for what was due before. */
export async function haveJobs({ ledger }: ActionContext, jobs: readonly string[]): Promise<void> {
  await registerJobs(ledger, jobs);
}

/** What is known about jobs, in the order of their names. */
export async function jobFacts(
  { ledger }: Pick<ActionContext, 'ledger'>,
  jobs: readonly string[],
): Promise<JobFacts[]> {
  return readJobs(ledger, jobs);
}

/** Begins work on a job outside its times, as a person wants it. @returns the slot of this moment. */
export async function slotNow(
  { ledger }: Pick<ActionContext, 'ledger'>,
  job: string,
  who: Decider,
): Promise<JobSlot> {
  await registerJobs(ledger, [job]);
  const [facts] = await readJobs(ledger, [job]);
  await recordEvent(ledger, 'start-line', who, { subject: job });
  const slotAt = isoFromMs(ledger.clock.nowMs());
  return { job, slotAt, sinceAt: facts?.sinceAt ?? slotAt, missed: 0 };
}

/** How work on a slot went; `past`: it was worked on before; `elsewhere`: another process works on the job now. */
export type SlotOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'past' }
  | { readonly kind: 'elsewhere'; readonly pid: number };

/** Works on a slot of a job, once over all services. @param work see `withSlot`. */
export async function workOnSlot<Result>(
  { ledger }: ActionContext,
  slot: JobSlot,
  work: (lost: AbortSignal) => Promise<SlotWork<Result>>,
): Promise<SlotOutcome<Result>> {
  // The service may have had the ledger open for long.
  requireInPlace(ledger);
  const worked = await withSlot(ledger, slot, thisProcess(), work);
  if (worked === 'past') return { kind: 'past' };
  return 'done' in worked
    ? { kind: 'done', result: worked.done }
    : { kind: 'elsewhere', pid: worked.holder.pid };
}
