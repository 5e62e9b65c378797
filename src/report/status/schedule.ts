import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import type { ScheduledLine } from '../../documents/status.js';
import { isoFromMs } from '../../domain/clock.js';
import { readJobs } from '../../ledger/leases/jobs.js';
import type { Ledger } from '../../ledger/store/query.js';

/** The lines of the schedule, in the order of registrar.yaml. */
export async function scheduledLines(
  ledger: Ledger,
  schedule: readonly ScheduleConfig[],
): Promise<ScheduledLine[]> {
  if (schedule.length === 0) return [];
  // It loads what knows zones.
  const { nextSlotMs } = await import('./slots.js');
  const facts = await readJobs(ledger, schedule.map(jobName));
  return schedule.flatMap((line, index) => {
    const known = facts[index];
    if (known === undefined) return [];
    const { job, latest, lastDoneAt } = known;
    const nextMs = nextSlotMs(line, ledger.clock.nowMs());
    return {
      job,
      slotAt: latest?.slotAt ?? null,
      ending: latest?.ending ?? null,
      missed: latest?.missed ?? 0,
      lastDoneAt,
      nextAt: nextMs === null ? null : isoFromMs(nextMs),
    };
  });
}
