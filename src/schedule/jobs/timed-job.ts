import { schedule } from 'node-cron';
import { jobFacts, runSlot } from '../../actions/service/jobs.js';
import type { ScheduleConfig } from '../../config/schema.js';
import { inOneLine } from '../../config/values/cron.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { type CronLine, lastSlotMs, slotsBetween } from '../../report/status/slots.js';
import { backOff, repeatUntilStopped } from '../retry-until-stopped.js';
import type { ServiceContext } from '../service-event.js';

/** How a slot's work went; `interrupted`: the next process continues it. */
export type SlotResult = 'done' | 'failed' | 'interrupted';

/** Does the work of a line of the schedule, at one of its slots. `lost`: another process has taken over. */
export type Perform = (entry: ScheduleConfig, slot: DueSlot, lost: AbortSignal) => Promise<SlotResult>;

const POLL_MS = 15_000;

/** While another process works on the job. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** What wakes a line. Tests with simulated time pass their own. */
export interface WakeUps {
  /** The longest wait before the clock is read: it may be set, the machine may have slept, or the line may be due when clocks change. */
  readonly pollMs: number;
  readonly timer: typeof lineTimer;
}

/**
 * Works on the slots of a line of the schedule, one after another, until `stop` is aborted: whenever the line fires, and
 * several times a minute, it looks for those that are due. A failure is reported, and the next slot comes all the same; where
 * the ledger itself fails, the same slot is tried again.
 */
export async function timedJob(
  service: ServiceContext,
  entry: ScheduleConfig,
  perform: Perform,
  { pollMs, timer }: WakeUps = { pollMs: POLL_MS, timer: lineTimer },
): Promise<void> {
  const { ledger, stop, listen } = service;
  const job = jobName(entry);
  const retry = backOff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  const work = async () => {
    const [facts] = await jobFacts(service, [job]);
    // By the ledger's time: a machine whose clock is ahead would work on slots that have not come.
    const due = facts ? dueSlots(entry, msFromIso(facts.sinceAt), ledger.clock.nowMs()) : [];
    for (const slot of due) {
      if (stop.aborted) break;
      const slotAt = isoFromMs(slot.atMs);
      const jobSlot = { job, slotAt, sinceAt: isoFromMs(slot.sinceMs), missed: slot.missed };
      const worked = await runSlot(service, jobSlot, async (lost) => {
        listen({ kind: 'slot-begun', job, slotAt, missed: slot.missed });
        const ending = await perform(entry, slot, lost);
        return { result: ending, ending };
      });
      if (worked === 'past') continue;
      if ('done' in worked) listen({ kind: 'slot-ended', job, slotAt, ending: worked.done });
      else listen({ kind: 'elsewhere', job, slotAt, pid: worked.holder.pid });
      // Another process works on the job, or has taken it over.
      if (!('done' in worked) || worked.done === 'interrupted') return retry.failed();
    }
    retry.worked();
    // Meanwhile the next slot may have come.
    return due.length === 0 ? pollMs : 0;
  };
  await repeatUntilStopped(job, work, service, timer(entry, stop));
}

/** A slot to work on. It makes up for the `missed` slots after `sinceMs` too, a thousand at most; milliseconds since 1970. */
export type DueSlot = Readonly<ReturnType<typeof dueSlots>[number]>;

/** How late work on a slot may begin that is not made up for: a service looks at its clock several times a minute. */
const LATE_MS = 60_000;

/** Counting more of them would take long and add nothing. */
const MAX_COUNTED = 1_000;

/** Slots that are worked on one after another before the next query of the ledger. */
const MAX_AT_ONCE = 100;

/**
 * The slots of a line that are to be worked on now, oldest first.
 * @param sinceMs slots up to this time are worked on or abandoned.
 */
export function dueSlots(line: CronLine & Pick<ScheduleConfig, 'missed'>, sinceMs: number, nowMs: number) {
  if (line.missed === 'each') {
    const all = slotsBetween(line, sinceMs, nowMs, MAX_AT_ONCE);
    return all.map((atMs, index) => ({ atMs, sinceMs: all[index - 1] ?? sinceMs, missed: 0 }));
  }
  const atMs = lastSlotMs(line, sinceMs, nowMs);
  if (atMs === null || (line.missed === 'none' && nowMs - atMs > LATE_MS)) return [];
  const missed = slotsBetween(line, sinceMs, atMs - 1, MAX_COUNTED).length;
  return [{ atMs, sinceMs, missed }];
}

/** Returns a signal that is aborted the next time the line fires, or when the timer is stopped. */
export type NextFire = () => AbortSignal;

/** Has node-cron fire a line until `stop` is aborted. It keeps no process alive. */
export function lineTimer({ cron, timeZone }: CronLine, stop: AbortSignal): NextFire {
  let next = new AbortController();
  const fire = () => next.abort();
  const options = { suppressMissedWarning: true, unref: true, ...(timeZone && { timezone: timeZone }) };
  try {
    const task = schedule(inOneLine(cron), fire, options);
    stop.addEventListener('abort', () => void task.destroy(), { once: true });
  } catch {
    // It fires no line whose only times are left out when clocks go forward. The clock is looked at all the same.
  }
  stop.addEventListener('abort', fire, { once: true });
  return () => {
    if (next.signal.aborted && !stop.aborted) next = new AbortController();
    return next.signal;
  };
}
