import type { ExpectConfig } from '../../config/schema/alerts-schema.js';
import { DAY_MS, timesOfDay } from '../../normalise/time/zone/zone-offsets.js';

/** How far back the times are looked at at which drops should have come: four of a weekly source. */
const LOOK_BACK_MS = 30 * DAY_MS;

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/**
 * The drop of a source that should have come and hasn't; null: none is missing. A drop counts for the next time at which one
 * is expected. Where none had come by the time before, one that comes nearer to that time than to the next was that one,
 * late.
 * @param arrivals when files of the source came, in any order, also refused files and duplicate files.
 * @param sinceMs when the ledger was made: drops from before aren't missed.
 * @returns times in milliseconds since 1970. `latestMs`: when the source last sent one; null: never.
 */
export function missingDrop(
  expect: ExpectConfig,
  timeZone: string,
  arrivals: readonly number[],
  sinceMs: number,
  nowMs: number,
) {
  const latest = arrivals.length === 0 ? null : Math.max(...arrivals);
  if (expect.everyMs !== undefined) {
    const expectedByMs = Math.max(latest ?? sinceMs, sinceMs) + expect.everyMs;
    return nowMs > expectedByMs ? { expectedByMs, latestMs: latest } : null;
  }
  const times = timesOfDay(expect.by ?? '', timeZone, Math.max(sinceMs, nowMs - LOOK_BACK_MS), nowMs)
    .filter(({ weekday }) => expect.days.some((day) => WEEKDAYS[weekday] === day))
    .map(({ atMs }) => atMs);
  let isMissed = false;
  let beforeMs = Number.NEGATIVE_INFINITY;
  for (const atMs of times) {
    isMissed = !arrivals.some(arrivedInTime(atMs, beforeMs, isMissed));
    beforeMs = atMs;
  }
  const isLate = arrivals.some((ms) => ms > beforeMs);
  return isMissed && !isLate ? { expectedByMs: beforeMs, latestMs: latest } : null;
}

/** Whether a drop that came at a moment was the one expected by `atMs`, and not the one of the time before, late. */
function arrivedInTime(atMs: number, beforeMs: number, wasMissed: boolean): (ms: number) => boolean {
  return (ms) => ms > beforeMs && ms <= atMs && !(wasMissed && ms - beforeMs < atMs - ms);
}
