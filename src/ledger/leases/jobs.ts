import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { failpoint } from '../../domain/process/failpoint.js';
import type { JobFacts, JobSlot, SlotEnding } from '../../domain/process/job.js';
import { mapSeries } from '../../domain/process/series.js';
import { change, first, type Ledger, query, reading, writing } from '../store/query.js';
import { holdsLease, type InTheWay, withLeases } from './leases.js';
import type { Owner } from './owner.js';

/** Processes that may die over one slot: a job that kills each process must not keep the others from their work. */
const MAX_TRIES = 3;

/** Makes jobs of a service known: the slots of new ones count from now on. */
export async function knowJobs(ledger: Ledger, jobs: readonly string[]): Promise<void> {
  const since_at = isoFromMs(ledger.clock.nowMs());
  if (jobs.length === 0) return;
  await ledger.db
    .insertInto('job')
    .values(jobs.map((job) => ({ job, since_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Reads what is known about jobs: up to when their slots are worked on, and how the latest ended. An unknown job counts from now. */
export async function readJobs(ledger: Ledger, jobs: readonly string[]): Promise<JobFacts[]> {
  return reading(ledger, (ledger) => mapSeries(jobs, async (job) => factsOf(ledger, job)));
}

async function factsOf(ledger: Ledger, job: string): Promise<JobFacts> {
  const now = isoFromMs(ledger.clock.nowMs());
  const known = query.selectFrom('job').select('since_at as at').where('job', '=', job);
  const latest = query
    .selectFrom('job_slot')
    .select(['job', 'slot_at as slotAt', 'since_at as sinceAt', 'missed', 'began_at as beganAt'])
    .select(['ended_at as endedAt', 'ending'])
    .where('job', '=', job)
    .orderBy('slot_at', 'desc')
    .limit(sql.lit(1));
  // Times later than now are of a clock that was set back since.
  const past = latest.where('ended_at', 'is not', null).where('slot_at', '<=', now);
  const sinceAt = (await first(ledger, past))?.slotAt;
  return {
    job,
    sinceAt: sinceAt ?? (await first(ledger, known.where('since_at', '<=', now)))?.at ?? now,
    latest: (await first(ledger, latest)) ?? null,
    lastDoneAt: (await first(ledger, latest.where('ending', '=', 'done')))?.endedAt ?? null,
  };
}

/** What became of the work on a slot; `interrupted`: it is left to whoever comes next. */
export interface SlotWork<Result> {
  readonly result: Result;
  readonly ending: Exclude<SlotEnding, 'died'>;
}

/**
 * Runs `work` for a slot of a job, and records how it ended, so that no process works on the slot again. A slot whose process died
 * is worked on again by the next that asks, a few times at most.
 * @param work gets a signal that is aborted once another process has taken over; an error of it counts as `failed`.
 * @returns `past`: the slot was worked on or given up already; or who works on the job now.
 */
export async function withSlot<Result>(
  ledger: Ledger,
  slot: JobSlot,
  owner: Owner,
  work: (lost: AbortSignal) => Promise<SlotWork<Result>>,
): Promise<{ readonly done: Result } | 'past' | InTheWay> {
  const { job, slotAt } = slot;
  const taken = await withLeases(ledger, [`job:${job}`], owner, null, async ({ leases: [lease], lost }) => {
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
  return 'done' in taken ? taken.done : taken;
}

/** @returns false where the slot is not to be worked on any more. Call under the job's lease. */
async function begin(ledger: Ledger, { job, slotAt, sinceAt, missed }: JobSlot): Promise<boolean> {
  const beganAt = isoFromMs(ledger.clock.nowMs());
  const covering = await ledger.db
    .selectFrom('job_slot')
    .select('slot_at')
    .where('job', '=', job)
    .where('ended_at', 'is not', null)
    .where('slot_at', '>=', slotAt)
    // A later one is of a clock that was set back since.
    .where('slot_at', '<=', beganAt)
    .where('since_at', '<', slotAt)
    .executeTakeFirst();
  if (covering) return false;
  // Whoever worked on an earlier one has died, since the lease is free; this slot stands for that one too.
  await change(ledger, closing(ledger, job, 'died').where('slot_at', '<', slotAt));
  const open = query.selectFrom('job_slot').select('tries').where('job', '=', job);
  const { tries } = (await first(ledger, open.where('slot_at', '=', slotAt))) ?? { tries: 0 };
  if (tries >= MAX_TRIES) {
    await change(ledger, closing(ledger, job, 'died').where('slot_at', '=', slotAt));
    return false;
  }
  const begun = { began_at: beganAt, tries: tries + 1 };
  await ledger.db
    .insertInto('job_slot')
    .values({ job, slot_at: slotAt, since_at: sinceAt, missed, ...begun, ended_at: null, ending: null })
    .onConflict((conflict) => conflict.columns(['job', 'slot_at']).doUpdateSet(begun))
    .execute();
  return true;
}

/**
 * Ends slots of a job that are open. One that is interrupted now stays open, and the try doesn't count; so what died without a try
 * was interrupted.
 */
function closing(ledger: Ledger, job: string, ending: SlotEnding) {
  const open = query.updateTable('job_slot').where('job', '=', job).where('ended_at', 'is', null);
  if (ending === 'interrupted') return open.set({ tries: sql<number>`tries - 1` });
  const how =
    ending === 'died'
      ? sql<SlotEnding>`case when tries = 0 then 'interrupted' else 'died' end`
      : sql.val(ending);
  return open.set({ ended_at: isoFromMs(ledger.clock.nowMs()), ending: how });
}
