import { InvalidArgumentError } from 'commander';
import { isoFromMs, msFromIso } from '../domain/clock.js';

/** Reads a day (`2026-03-02`, its first moment in UTC) or a time with its zone, as the ledger writes times. */
export function isoTime(text: string): string {
  const looksRight = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const ms = looksRight ? msFromIso(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError('Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.');
  }
  return isoFromMs(ms);
}
