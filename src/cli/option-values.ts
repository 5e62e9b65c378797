import { InvalidArgumentError } from 'commander';
import { durationMs } from '../config/values/duration.js';
import { isoMoment } from '../domain/clock.js';
import { REPORT_FORMATS, type ReportFormat } from '../report/report-formats.js';

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

/** Reads a length of time that isn't none, in milliseconds. */
export function lengthOfTime(text: string): number {
  const ms = durationMs(text);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('Write a length of time as 90s, 50m or 2h.');
}

export function reportFormats(list: string): readonly ReportFormat[] {
  return list.split(',').map((text) => {
    const format = REPORT_FORMATS.find((one) => one === text.trim());
    if (format !== undefined) return format;
    throw new InvalidArgumentError(
      `"${text.trim()}" is not a format. There are: ${REPORT_FORMATS.join(', ')}.`,
    );
  });
}

export function oneMore(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
