import { Cron } from 'croner';
import type { ScheduleConfig } from '../config/schema.js';
import { dateFromMs } from '../domain/clock.js';

/**
 * A line of the schedule by its times. On the day on which clocks go back, a time that comes twice counts the first time,
 * where the line names hours; a line of every hour goes on through both. On the day on which they go forward, a line with one
 * time of day that is left out is due right after the gap; times of other lines that are left out don't exist.
 */
export type CronLine = Pick<ScheduleConfig, 'cron' | 'timeZone'>;

/** The first time after `afterMs` at which the line is due; null: there is none. All times are milliseconds since 1970. */
export function nextSlotMs(line: CronLine, afterMs: number): number | null {
  return cronOf(line).nextRun(dateFromMs(afterMs))?.getTime() ?? null;
}

/** The times after `afterMs` and up to `untilMs` at which the line is due, oldest first; of more than `most` the first ones. */
export function slotsBetween(line: CronLine, afterMs: number, untilMs: number, most: number): number[] {
  const slots: number[] = [];
  for (let at = nextSlotMs(line, afterMs); at !== null && at <= untilMs && slots.length < most; ) {
    slots.push(at);
    at = nextSlotMs(line, at);
  }
  return slots;
}

/** The last time after `afterMs` and up to `untilMs` at which the line is due; null: there is none. */
export function lastSlotMs(line: CronLine, afterMs: number, untilMs: number): number | null {
  for (const spanMs of [...SPANS_MS, Number.POSITIVE_INFINITY]) {
    const fromMs = Math.max(afterMs, untilMs - spanMs);
    // Each span has room for a few hundred times of a line that has none in the span before.
    const last = slotsBetween(line, fromMs, untilMs, Number.POSITIVE_INFINITY).at(-1);
    if (last !== undefined) return last;
    if (fromMs === afterMs) return null;
  }
  return null;
}

/** How often lines of the schedule were due after `afterMs` and up to `untilMs`; counting stops at `most`. */
export function firingsBetween(
  lines: readonly CronLine[],
  afterMs: number,
  untilMs: number,
  most: number,
): number {
  return lines.reduce((count, line) => count + slotsBetween(line, afterMs, untilMs, most - count).length, 0);
}

/** Five minutes, six hours, ten days, a year: to search from the end without a search from the beginning. */
const SPANS_MS = [300_000, 21_600_000, 864_000_000, 31_622_400_000];

/** Parsed once: the same few lines are asked about for as long as the process lives. */
const parsed = new Map<string, Cron>();

function cronOf({ cron, timeZone }: CronLine): Cron {
  const key = `${cron} ${timeZone ?? ''}`;
  const known = parsed.get(key);
  if (known) return known;
  const made = new Cron(shortNames(cron), {
    paused: true,
    domAndDow: true,
    ...(timeZone === undefined ? {} : { timezone: timeZone }),
  });
  parsed.set(key, made);
  return made;
}

/** Months and weekdays by their first three letters, as the library knows them. */
function shortNames(cron: string): string {
  return cron.trim().replace(/[a-z]{4,}/gi, (name) => name.slice(0, 3));
}
