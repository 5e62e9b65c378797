import type { ScheduleConfig } from '../../config/schema.js';
import { type CronTimes, cronTimes } from '../../config/values/cron.js';
import { isTimeZone } from '../../config/values/time-zone.js';
import { dateFromMs } from '../../domain/clock.js';
import { type OffsetPeriod, offsetPeriodsOf } from '../../normalise/time/zone/zone-offsets.js';

/**
 * A line of the schedule by its times. On the day on which clocks go back, a time that comes twice counts the first time,
 * where the line names hours; a line of every hour goes on through both. On the day on which they go forward, a line with one
 * time of day that is left out is due right after the gap; times of other lines that are left out don't exist.
 */
export type CronLine = Pick<ScheduleConfig, 'cron' | 'timeZone'>;

/** The first time after `afterMs` at which the line is due; null: there is none. All times are milliseconds since 1970. */
export function nextSlotMs(line: CronLine, afterMs: number): number | null {
  return slotsBetween(line, afterMs, Number.POSITIVE_INFINITY, 1)[0] ?? null;
}

/** The times after `afterMs` and up to `untilMs` at which the line is due, oldest first; of more than `limit` the first ones. */
export function slotsBetween(line: CronLine, afterMs: number, untilMs: number, limit: number): number[] {
  const slots: number[] = [];
  if (limit <= 0) return slots;
  for (const at of slotsIn(parsedLine(line), afterMs, Math.min(untilMs, afterMs + MAX_WAIT_MS))) {
    slots.push(at);
    if (slots.length === limit) break;
  }
  return slots;
}

/** The last time after `afterMs` and up to `untilMs` at which the line is due; null: there is none. */
export function lastSlotMs(line: CronLine, afterMs: number, untilMs: number): number | null {
  // From the end, in ever longer spans: each has room for a few hundred times of a line that has none in the span before.
  for (let spanMs = 300_000; ; spanMs *= 60) {
    const fromMs = Math.max(afterMs, untilMs - spanMs);
    const last = slotsBetween(line, fromMs, untilMs, Number.POSITIVE_INFINITY).at(-1);
    if (last !== undefined) return last;
    if (fromMs === afterMs) return null;
  }
}

const DAY_MS = 86_400_000;

/** A 29 February on one day of the week comes after 40 years at the latest, where no leap year is left out. */
const MAX_WAIT_MS = 41 * 366 * DAY_MS;

interface ParsedLine {
  readonly isDueOn: CronTimes['isDueOn'];
  /** Milliseconds since midnight, ascending, by the clock on the wall. */
  readonly times: readonly number[];
  readonly isEveryHour: boolean;
  readonly periodAt: (utcMs: number) => OffsetPeriod;
}

function* slotsIn(line: ParsedLine, afterMs: number, untilMs: number): Generator<number> {
  for (let nextMs = afterMs; nextMs <= untilMs; ) {
    const { fromMs, toMs, offsetMs } = line.periodAt(nextMs);
    // The clock on the wall at the change with which this stretch begins: by the offset before, and by its own.
    const before = Number.isFinite(fromMs) ? line.periodAt(fromMs - 1).offsetMs : offsetMs;
    const [shownMs, setToMs] = [fromMs + before, fromMs + offsetMs];
    const isOmitted = line.times.length === 1 && !localTimes(line, shownMs, setToMs).next().done;
    if (isOmitted && fromMs > afterMs) yield fromMs;
    const firstMs = line.isEveryHour ? setToMs : Math.max(shownMs, setToMs);
    const endMs = Math.min(toMs, untilMs + 1) + offsetMs;
    for (const localMs of localTimes(line, Math.max(firstMs, afterMs + 1 + offsetMs), endMs)) {
      yield localMs - offsetMs;
    }
    nextMs = toMs;
  }
}

/** The times from one to before another at which the line is due, by the clock on the wall, which is read as if it were UTC. */
function* localTimes({ isDueOn, times }: ParsedLine, fromMs: number, endMs: number): Generator<number> {
  for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < endMs; day += 1) {
    if (!isDueOn(day)) continue;
    for (const time of times) {
      const ms = day * DAY_MS + time;
      if (ms >= endMs) return;
      if (ms >= fromMs) yield ms;
    }
  }
}

/** Parsed once: the same few lines are used for as long as the process lives. */
const parsed = new Map<string, ParsedLine>();

function parsedLine({ cron, timeZone }: CronLine): ParsedLine {
  const key = `${cron} ${timeZone ?? ''}`;
  const cached = parsed.get(key);
  if (cached) return cached;
  const { second, minute, hour, isDueOn } = cronTimes(cron);
  const times = hour.flatMap((h) =>
    minute.flatMap((m) => second.map((s) => ((h * 60 + m) * 60 + s) * 1_000)),
  );
  const line = {
    isDueOn,
    times: [...new Set(times)].sort((a, b) => a - b),
    isEveryHour: new Set(hour).size === 24,
    periodAt: periodsIn(timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
  };
  parsed.set(key, line);
  return line;
}

/** @param zone the machine's may have no name that this Node knows; then it has one offset. */
function periodsIn(zone: string | undefined): (utcMs: number) => OffsetPeriod {
  if (zone !== undefined && isTimeZone(zone)) return offsetPeriodsOf(zone);
  const offsetMs = dateFromMs(0).getTimezoneOffset() * -60_000;
  const period = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY, offsetMs };
  return () => period;
}
