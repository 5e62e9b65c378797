import type { ScheduleConfig } from '../config/schema.js';
import { type CronLine, lastSlotMs, slotsBetween } from '../report/status/slots.js';

/** A slot to work on; times in milliseconds since 1970. */
export interface DueSlot {
  readonly atMs: number;
  /** It makes up for the missed slots after this time too. */
  readonly sinceMs: number;
  /** How many those are, a thousand at most. */
  readonly missed: number;
}

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
