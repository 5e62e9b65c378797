import type { ActionContext } from '../../actions/context.js';
import { jobFacts, workOnSlot } from '../../actions/service/jobs.js';
import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import type { JobSlot } from '../../domain/process/job.js';
import { backOff } from '../back-off.js';
import { type DueSlot, dueSlots } from '../due.js';
import { lineTimer } from '../line-timer.js';
import type { ServiceListener } from '../service-event.js';

/** How a slot's work went; `interrupted`: it is left to whoever comes next. */
export type SlotResult = 'done' | 'failed' | 'interrupted';

/** Does what a line of the schedule asks for, at one of its slots. `lost`: another process has taken over. */
export type Perform = (entry: ScheduleConfig, slot: DueSlot, lost: AbortSignal) => Promise<SlotResult>;

const LOOK_MS = 15_000;

/** While another process works on the job, or after a failure that was not the work's own. */
const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

/** What wakes a line. Tests whose time is not the machine's have others. */
export interface Waking {
  /** The longest wait before the clock is looked at: it may be set, the machine may have slept, or the line may be due when clocks change. */
  readonly lookMs: number;
  readonly timer: typeof lineTimer;
}

/**
 * Works on the slots of a line of the schedule, one after another, until `stop` is aborted: whenever the line fires, and several
 * times a minute, it looks for those that are due. A failure is told, and the next slot comes all the same; where the ledger itself
 * fails, the same slot is tried again.
 */
export async function timedJob(
  context: ActionContext,
  entry: ScheduleConfig,
  perform: Perform,
  stop: AbortSignal,
  listen: ServiceListener,
  { lookMs, timer }: Waking = { lookMs: LOOK_MS, timer: lineTimer },
): Promise<void> {
  const { clock } = context;
  const job = jobName(entry);
  const again = backOff(FIRST_AGAIN_MS, LONGEST_AGAIN_MS);
  const nextFire = timer(entry, stop);
  while (!stop.aborted) {
    // Asked for first, so that no firing is missed while the ledger is asked.
    const fired = nextFire();
    await clock.sleep(await work(), fired);
  }

  /** @returns how long to wait at most. */
  async function work(): Promise<number> {
    try {
      const result = await workOnDue();
      if (result === 'left') return again.failed();
      again.worked();
      // Meanwhile the next slot may have come.
      return result === 'worked' ? 0 : lookMs;
    } catch (error) {
      const againMs = again.failed();
      listen({ kind: 'failed', job, error, againMs });
      return againMs;
    }
  }

  /** @returns `left`: another process works on the job, or has taken it over. */
  async function workOnDue(): Promise<'idle' | 'worked' | 'left'> {
    const [facts] = await jobFacts(context, [job]);
    const due = facts ? dueSlots(entry, msFromIso(facts.sinceAt), clock.nowMs()) : [];
    for (const slot of due) {
      if (stop.aborted) break;
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
      if (worked.kind === 'elsewhere') listen({ kind: 'elsewhere', job, slotAt, pid: worked.pid });
      if (worked.kind === 'done') listen({ kind: 'slot-ended', job, slotAt, ending: worked.result });
      if (worked.kind === 'elsewhere' || (worked.kind === 'done' && worked.result === 'interrupted'))
        return 'left';
    }
    return due.length === 0 ? 'idle' : 'worked';
  }
}
