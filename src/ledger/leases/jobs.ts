import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { JobFacts, JobSlot, SlotEnding } from '../../domain/process/job.js';
import { mapSeries } from '../../domain/process/series.js';
import { addRow, putRow } from '../store/by-key.js';
import { change, first, type Ledger, query, reading, writing } from '../store/query.js';
import { type BlockingLease, holdsLease, withLeases } from './leases.js';
import type { Owner } from './owner.js';

/** How many processes may die during one slot: a job that kills its process must not stop the service's other work. */
const MAX_TRIES = 3;

/** Registers jobs of a service: the slots of new jobs count from now on. */
export async function registerJobs(ledger: Ledger, jobs: readonly string[]): Promise<void> {
  const since_at = isoFromMs(ledger.clock.nowMs());
  for (const job of jobs) await addRow(ledger, 'job', { job, since_at });
}

/**
 * Reads the facts about jobs: the time up to which their slots are done, and how the latest ended. An unknown job
 * counts from now.
 */
export async function readJobs(ledger: Ledger, jobs: readonly string[]): Promise<JobFacts[]> {
  return reading(ledger, (ledger) => mapSeries(jobs, (job) => factsOf(ledger, job)));
}

async function factsOf(ledger: Ledger, job: string): Promise<JobFacts> {
  const now = isoFromMs(ledger.clock.nowMs());
  const registered = query.selectFrom('job').select('since_at as at').where('job', '=', job);
  const latest = query
    .selectFrom('job_slot')
    .select(['job', 'slot_at as slotAt', 'since_at as sinceAt', 'missed', 'started_at as startedAt'])
    .select(['ended_at as endedAt', 'ending'])
    .where('job', '=', job)
    .orderBy('slot_at', 'desc')
    .limit(sql.lit(1));
  // A time in the future was recorded before the clock was set back.
  const past = latest.where('ended_at', 'is not', null).where('slot_at', '<=', now);
  const sinceAt = (await first(ledger, past))?.slotAt;
  return {
    job,
    sinceAt: sinceAt ?? (await first(ledger, registered.where('since_at', '<=', now)))?.at ?? now,
    latest: (await first(ledger, latest)) ?? null,
    lastDoneAt: (await first(ledger, latest.where('ending', '=', 'done')))?.endedAt ?? null,
  };
}

/** The result of the work on a slot; `interrupted`: the next process runs the slot again. */
export interface SlotWork<Result> {
  readonly result: Result;
  readonly ending: Exclude<SlotEnding, 'died'>;
}

/**
 * Runs `work` for a slot of a job, and records how it ended, so that no process runs the slot again. A slot whose
 * process died is run again, a few times at most.
 * @param work gets a signal that is aborted once another process has taken over; an error counts as `failed`.
 * @returns `past`: the slot is already done or abandoned; or the process that runs the job now.
 */
export async function withSlot<Result>(
  ledger: Ledger,
  slot: JobSlot,
  owner: Owner,
  work: (lost: AbortSignal) => Promise<SlotWork<Result>>,
): Promise<{ readonly done: Result } | 'past' | BlockingLease> {
  const { job, slotAt } = slot;
  const attempt = await withLeases(ledger, [`job:${job}`], owner, null, async ({ leases: [lease], lost }) => {
    if (!(await writing(ledger, async (ledger) => begin(ledger, slot)))) return 'past';
    failpoint('slot-begun');
    const end = async (ending: SlotWork<Result>['ending']) =>
      writing(ledger, async (ledger) => {
        if (await holdsLease(ledger, lease))
          await change(ledger, closing(ledger, job, ending).where('slot_at', '=', slotAt));
      });
    const { result, ending } = await work(lost).catch(async (error: unknown) => {
      await end('failed');
      throw error;
    });
    await end(ending);
    failpoint('slot-ended');
    return { done: result };
  });
  return 'done' in attempt ? attempt.done : attempt;
}

/** Begins a slot. Call it under the job's lease. @returns false: the slot must not be run. */
async function begin(ledger: Ledger, { job, slotAt, sinceAt, missed }: JobSlot): Promise<boolean> {
  const startedAt = isoFromMs(ledger.clock.nowMs());
  const slots = query.selectFrom('job_slot').select('tries').where('job', '=', job);
  // A slot in the future was recorded before the clock was set back.
  const past = slots.where('slot_at', '>=', slotAt).where('slot_at', '<=', startedAt);
  const covering = past.where('ended_at', 'is not', null).where('since_at', '<', slotAt);
  if (await first(ledger, covering)) return false;
  // The process of an earlier slot has died, since the lease was free; this slot replaces it.
  await change(ledger, closing(ledger, job, 'died').where('slot_at', '<', slotAt));
  const { tries } = (await first(ledger, slots.where('slot_at', '=', slotAt))) ?? { tries: 0 };
  if (tries >= MAX_TRIES) {
    await change(ledger, closing(ledger, job, 'died').where('slot_at', '=', slotAt));
    return false;
  }
  const begun = { started_at: startedAt, tries: tries + 1 };
  await putRow(ledger, 'job_slot', { job, slot_at: slotAt }, { since_at: sinceAt, missed, ...begun }, begun);
  return true;
}

/** Ends open slots of a job. An interrupted slot stays open and spends no try, so one without tries was interrupted. */
function closing(ledger: Ledger, job: string, ending: SlotEnding) {
  const open = query.updateTable('job_slot').where('job', '=', job).where('ended_at', 'is', null);
  if (ending === 'interrupted') return open.set({ tries: sql<number>`tries - 1` });
  const died = sql<SlotEnding>`case when tries = 0 then 'interrupted' else 'died' end`;
  return open.set({ ended_at: isoFromMs(ledger.clock.nowMs()), ending: ending === 'died' ? died : ending });
}
