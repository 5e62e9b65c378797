import type { ScheduleConfig } from '../../config/schema.js';
import { jobName } from '../../config/values/job-name.js';
import { isoFromMs, msFromIso } from '../../domain/clock.js';
import { readJobs } from '../../ledger/leases/jobs.js';
import type { Ledger } from '../../ledger/store/query.js';
import { textTable } from '../text/layout.js';
import { localTime } from '../text/local-time.js';

/** A line of the schedule: what became of its latest time, and when the next one is. ISO times. */
export interface ScheduledLine {
  readonly job: string;
  /** The time that was worked on last; null: none was. */
  readonly slotAt: string | null;
  /** How that ended; null while it goes on, or when its process died and no service has come since. */
  readonly ending: string | null;
  /** How many times that one stands for, because they were missed. */
  readonly missed: number;
  /** When it was last worked on to its end; null: never. */
  readonly lastDoneAt: string | null;
  /** When it is due next, if a service lives then; null: never again. */
  readonly nextAt: string | null;
}

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

/** The same as a table; [] where there is no schedule. */
export function scheduleText(lines: readonly ScheduledLine[], columns: number | null): string[] {
  if (lines.length === 0) return [];
  const time = (iso: string | null) => (iso === null ? '-' : localTime(msFromIso(iso)));
  return [
    textTable(
      ['SCHEDULED', 'LAST', 'ENDED', 'NEXT'],
      lines.map(({ job, slotAt, ending, nextAt }) => [
        job,
        time(slotAt),
        ending ?? (slotAt === null ? '-' : 'not ended'),
        time(nextAt),
      ]),
      columns,
    ),
  ];
}
