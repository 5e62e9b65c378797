import { InvalidArgumentError } from 'commander';
import { durationMs } from '../config/values/duration.js';
import { isoMoment } from '../domain/clock.js';
import { REPORT_FORMATS, type ReportFormat } from '../report/report-formats.js';

/** Reads an option's whole number, 0 included. */
export const wholeNumber = valueThat(
  (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null),
  'It must be a whole number.',
);

/** Reads a day (`2026-03-02`, its first moment in UTC) or a time with its zone, as the ledger writes times. */
export const isoTime = valueThat(isoMoment, 'Write a day as 2026-03-02 or a time as 2026-03-02T08:00:00Z.');

/** Reads a length of time that isn't none, in milliseconds. */
export const durationOption = valueThat(
  (text) => durationMs(text) || null,
  'Write a length of time as 90s, 50m or 2h.',
);

/** @param read null: the text can't be read. */
function valueThat<Value>(read: (text: string) => Value | null, hint: string) {
  return (text: string): Value => {
    const value = read(text);
    if (value !== null) return value;
    throw new InvalidArgumentError(hint);
  };
}

export function reportFormats(list: string): readonly ReportFormat[] {
  return list.split(',').map((text) => {
    const format = REPORT_FORMATS.find((one) => one === text.trim());
    if (format !== undefined) return format;
    throw new InvalidArgumentError(`"${text.trim()}" is not a format. Use ${REPORT_FORMATS.join(', ')}.`);
  });
}

export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
