import { InvalidArgumentError } from 'commander';
import { isoMoment } from '../domain/clock.js';

/** Reads an option's whole number, 0 included. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Reads a day (`2026-03-02`, its first moment in UTC) or a time with its zone, as the ledger writes times. */
export function isoTime(text: string): string {
  const time = isoMoment(text);
  if (time === null) {
    throw new InvalidArgumentError('Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.');
  }
  return time;
}

export function oneMore(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
