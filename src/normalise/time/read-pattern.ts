import { NUMBER_PATTERNS, type PatternPart, patternParts } from '../../config/values/date-pattern.js';
import { type DateText, type DateTextProblem, isDate } from './date-order.js';
import {
  type DateRules,
  oneLine,
  readNumber,
  TWO_DIGIT_YEAR,
  timeOfDay,
  yearOf,
  zoneOf,
} from './parse-date-text.js';

/**
 * The reader of a source's declared patterns, which reads no other form. A text that matches several patterns is read only when
 * they agree, because the text doesn't show which one was meant.
 */
export function patternsReader(
  patterns: readonly string[],
  rules: DateRules,
): (cell: string) => DateText | DateTextProblem {
  const readers = patterns.map(patternReader);
  const listed = patterns.map((pattern) => `"${pattern}"`).join(', ');
  return (cell) => {
    const text = oneLine(cell);
    const readings = readers.flatMap((read) => read(text, rules) ?? []);
    const dates = readings.filter(
      (reading) => 'date' in reading && 'month' in reading.date && isDate(reading.date),
    );
    const [first, ...others] = dates.length > 0 ? dates : readings.slice(0, 1);
    if (first === undefined)
      return { problem: `is not written as datePatterns of the source say (${listed})` };
    return others.every((other) => JSON.stringify(other) === JSON.stringify(first))
      ? first
      : { problem: `fits several of datePatterns of the source (${listed}), which read it differently` };
  };
}

/** The reader of one pattern that `datePatternMistake` has nothing against; null for a text that doesn't match it. */
function patternReader(
  pattern: string,
): (text: string, rules: DateRules) => DateText | DateTextProblem | null {
  const number = NUMBER_PATTERNS.find((name) => name === pattern);
  if (number !== undefined) return (text) => readNumber(text, number);
  const parts = patternParts(oneLine(pattern)).map((part) => ({
    ...part,
    name: part.kind.replace(/\s/g, '_'),
  }));
  const form = new RegExp(`^${parts.map((part) => expressionOf(part, part.name)).join('')}$`, 'iu');
  return (text, rules) => {
    const parts = form.exec(text)?.groups;
    return parts === undefined ? null : toDateText(parts, rules);
  };
}

/** As many digits as letters where there are several; a single letter matches one or two digits. */
function expressionOf({ kind, letters }: PatternPart, name: string): string {
  switch (kind) {
    case 'text':
      return letters.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    case 'month name':
      return `(?<${name}>\\p{L}+)\\.?`;
    case 'weekday':
      return '[\\p{L}-]+\\.?';
    case 'half of the day':
      return `(?<${name}>[ap]\\.?m\\.?)`;
    case 'zone':
      return `(?<${name}>\\S.*)`;
    default:
      return `(?<${name}>\\d{${letters.length === 1 && kind !== 'fraction' ? '1,2' : letters.length}})`;
  }
}

function toDateText(
  parts: Readonly<Record<string, string | undefined>>,
  rules: DateRules,
): DateText | DateTextProblem | null {
  const year = yearOf(parts.year ?? '', rules);
  if (year === null) return TWO_DIGIT_YEAR;
  const month = parts.month_name === undefined ? Number(parts.month) : rules.monthOf(parts.month_name);
  if (month === null)
    return { problem: `has "${parts.month_name}" for a month, which is none in the languages of the source` };
  // A month without a day (Degreed's files) counts from its first day.
  const date = { year, month, day: Number(parts.day ?? '1') };
  const hours = parts.hour ?? parts.hour_of_half_a_day;
  const timeMs =
    hours === undefined
      ? null
      : timeOfDay(
          Number(hours),
          Number(parts.minute ?? 0),
          Number(parts.second ?? 0),
          Number((parts.fraction ?? '').slice(0, 3).padEnd(3, '0')),
          parts.half_of_the_day ?? null,
        );
  if (hours !== undefined && timeMs === null) return { problem: 'has an impossible time' };
  const zone = zoneOf(parts.zone ?? '', rules.zones);
  return zone !== null && typeof zone === 'object' ? zone : { date, timeMs, zone };
}
