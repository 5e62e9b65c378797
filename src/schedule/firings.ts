import { createTask, parse } from 'node-cron';
import type { ScheduleConfig } from '../config/schema.js';
import { dateFromMs } from '../domain/clock.js';

const MINUTE_MS = 60_000;

/**
 * How often entries of the schedule were due after `afterMs` and up to `untilMs`, both in milliseconds since 1970.
 * @param most the count stops here, because firings are searched backwards, one by one.
 */
export function firingsBetween(
  entries: readonly Pick<ScheduleConfig, 'cron' | 'timeZone'>[],
  afterMs: number,
  untilMs: number,
  most: number,
): number {
  return entries.reduce((count, entry) => count + firingsOf(entry, afterMs, untilMs, most - count), 0);
}

function firingsOf(
  { cron, timeZone }: Pick<ScheduleConfig, 'cron' | 'timeZone'>,
  afterMs: number,
  untilMs: number,
  most: number,
): number {
  const task = createTask(cron, () => {}, timeZone === undefined ? {} : { timezone: timeZone });
  const { second, minute } = parse(cron);
  const seconds = [...second].sort((a, b) => b - a);
  let count = 0;
  const lastMinute = Math.floor(untilMs / MINUTE_MS);
  for (let at = lastMinute; at * MINUTE_MS > afterMs - MINUTE_MS && count < most; at -= 1) {
    if (!mayBeMinute(at, minute)) continue;
    for (const second of seconds) {
      const ms = at * MINUTE_MS + second * 1_000;
      if (ms > afterMs && ms <= untilMs && count < most && task.match(dateFromMs(ms))) count += 1;
    }
  }
  return count;
}

/**
 * False for a minute that fits in no zone, since zones differ from UTC by quarters of an hour: trying every minute of a
 * month would take seconds.
 */
function mayBeMinute(atMinutes: number, minutes: readonly number[]): boolean {
  return [0, 15, 30, 45].some((offset) => minutes.includes((atMinutes + offset) % 60));
}
