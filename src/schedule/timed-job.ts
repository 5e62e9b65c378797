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

const LOOK_MS = 15_000;

/** While another process works on the job, or after a failure that was not the work's own. */
const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

/**
 * Works on the slots of a line of the schedule, one after another, until `stop` is aborted. A failure is told, and the next slot
 * comes all the same; where the ledger itself fails, the same slot is tried again.
 * @param lookMs the longest wait before the clock is looked at again: it may be set, and the machine may have slept.
 */
export async function timedJob(
  context: ActionContext,
  entry: ScheduleConfig,
  perform: Perform,
  stop: AbortSignal,
  listen: ServiceListener,
  lookMs = LOOK_MS,
): Promise<void> {
  const { clock } = context;
  const job = jobName(entry);
  const again = backOff(FIRST_AGAIN_MS, LONGEST_AGAIN_MS);
  // What was missed before is due at once.
  let nextMs = Number.NEGATIVE_INFINITY;
  let lookedMs = clock.nowMs();
  while (!stop.aborted) {
    const nowMs = clock.nowMs();
    if (nowMs < lookedMs) nextMs = Math.min(nextMs, slotAfter(nowMs));
    lookedMs = nowMs;
    let waitMs = nextMs - nowMs;
    if (waitMs <= 0) waitMs = await work(nowMs);
    await clock.sleep(Math.min(waitMs, lookMs), stop);
  }

  function slotAfter(ms: number): number {
    return nextSlotMs(entry, ms) ?? Number.POSITIVE_INFINITY;
  }

  /** @returns how long to wait. */
  async function work(nowMs: number): Promise<number> {
    try {
      if (await workOnDue()) return again.failed();
    } catch (error) {
      const againMs = again.failed();
      listen({ kind: 'failed', job, error, againMs });
      return againMs;
    }
    again.worked();
    nextMs = slotAfter(nowMs);
    return nextMs - clock.nowMs();
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
