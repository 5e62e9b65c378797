import { isoFromMs } from '../../domain/clock.js';
import { type NextSlotMs, type ScheduledLine, scheduledLines } from '../../report/status/schedule.js';
import type { ActionContext } from '../context.js';

/** A line of the schedule, what became of its latest time, and its next ones. */
export interface BrowsedLine extends ScheduledLine {
  readonly cron: string;
  /** null: the machine's zone. */
  readonly timeZone: string | null;
  readonly does: readonly string[];
  /** ISO times at which it is due next, if a service lives then. */
  readonly next: readonly string[];
}

/** Times that are shown of each line. */
const NEXT_TIMES = 5;

/** Reads the schedule, line by line in the order of registrar.yaml. @param asked finds when a line is due next. */
export async function browseSchedule(
  { ledger, config, clock }: ActionContext,
  { nextSlotMs }: { readonly nextSlotMs: NextSlotMs },
): Promise<BrowsedLine[]> {
  const lines = await scheduledLines(ledger, config.schedule, nextSlotMs);
  return config.schedule.flatMap((line, index) => {
    const known = lines[index];
    if (known === undefined) return [];
    const next: string[] = [];
    for (let at = nextSlotMs(line, clock.nowMs()); at !== null && next.length < NEXT_TIMES; ) {
      next.push(isoFromMs(at));
      at = nextSlotMs(line, at);
    }
    return { ...known, cron: line.cron, timeZone: line.timeZone ?? null, does: line.do, next };
  });
}
