import type { ActionContext } from '../actions/context.js';
import { jobFacts, workOnSlot } from '../actions/service/jobs.js';
import type { ScheduleConfig } from '../config/schema.js';
import { jobName } from '../config/values/job-name.js';
import { isoFromMs, msFromIso } from '../domain/clock.js';
import type { JobSlot } from '../domain/process/job.js';
import { backOff } from './back-off.js';
import { type DueSlot, dueSlots } from './due.js';
import type { ServiceListener } from './service-event.js';
import { nextSlotMs } from './slots.js';

/** How a slot's work went; `interrupted`: it is left to whoever comes next. */
export type SlotResult = 'done' | 'failed' | 'interrupted';

/** Does what a line of the schedule asks for, at one of its slots. `lost`: another process has taken over. */
export type Perform = (entry: ScheduleConfig, slot: DueSlot, lost: AbortSignal) => Promise<SlotResult>;

/** Longest wait before the clock is looked at again: it may be set, and the machine may have slept. */
const LOOK_MS = 15_000;

/** While another process works on the job, or after a failure that was not the work's own. */
const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

/**
 * Works on the slots of a line of the schedule, one after another, until `stop` is aborted. A failure is told, and the next slot
 * comes all the same; where the ledger itself fails, the same slot is tried again.
 */
export async function timedJob(
  context: ActionContext,
  entry: ScheduleConfig,
  perform: Perform,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<void> {
  const { clock } = context;
  const job = jobName(entry);
  const again = backOff(FIRST_AGAIN_MS, LONGEST_AGAIN_MS);
  while (!stop.aborted) {
    let waitMs: number;
    try {
      const isElsewhere = await workOnDue();
      const nextMs = nextSlotMs(entry, clock.nowMs());
      waitMs = isElsewhere ? again.failed() : (nextMs ?? Number.POSITIVE_INFINITY) - clock.nowMs();
      if (!isElsewhere) again.worked();
    } catch (error) {
      waitMs = again.failed();
      listen({ kind: 'failed', job, error, againMs: waitMs });
    }
    await clock.sleep(Math.min(waitMs, LOOK_MS), stop);
  }

  /** @returns true where another process works on the job. */
  async function workOnDue(): Promise<boolean> {
    const [facts] = await jobFacts(context, [job]);
    const due = facts ? dueSlots(entry, msFromIso(facts.sinceAt), clock.nowMs()) : [];
    for (const slot of due) {
      if (stop.aborted) return false;
      const kept: JobSlot = {
        job,
        slotAt: isoFromMs(slot.atMs),
        sinceAt: isoFromMs(slot.sinceMs),
        missed: slot.missed,
      };
      const { slotAt } = kept;
      const worked = await workOnSlot(context, kept, async (lost) => {
        listen({ kind: 'slot-begun', job, slotAt, missed: slot.missed });
        const ending = await perform(entry, slot, lost);
        return { result: ending, ending };
      });
      if (worked.kind === 'done') listen({ kind: 'slot-ended', job, slotAt, ending: worked.result });
      if (worked.kind !== 'elsewhere') continue;
      listen({ kind: 'elsewhere', job, slotAt, pid: worked.pid });
      return true;
    }
    return false;
  }
}
