import type { Cell } from '../../domain/row.js';
import type { InferredSample } from '../../normalise/infer/infer-mapping.js';
import { sampleValues } from '../../normalise/mapping/header-column.js';
import {
  countedTime,
  parseDateText,
  TWO_DIGIT_YEAR,
  USUAL_DATES,
} from '../../normalise/time/parse-date-text.js';
import { trimText } from '../../normalise/values/trim-text.js';

/** A key of a source with its value, as registrar.yaml has it, and why. */
export interface SampleSetting {
  readonly key: string;
  readonly value: string | number | readonly string[];
  readonly reason: string;
}

/** The settings beside the columns that a source needs for such a file; each is a guess that a person confirms. */
export function sampleSettings(
  sheet: string | null,
  otherSheets: readonly string[],
  inferred: InferredSample,
): readonly SampleSetting[] {
  return [
    ...(sheet !== null && otherSheets.length > 0
      ? [
          {
            key: 'sheet',
            value: sheet,
            reason: `confirm: ${otherSheets.map(quoted).join(', ')} has a header too`,
          },
        ]
      : []),
    ...timeSettings(inferred),
  ];
}

function timeSettings({ columns, below, preset }: InferredSample): readonly SampleSetting[] {
  const column = columns.find(({ field }) => field === 'completed-at');
  if (!column?.header || column.index === null || preset?.settings.datePatterns) return [];
  const cells = below.map(({ cells }) => cells);
  const values = sampleValues(cells, column.index);
  const patterns = new Set(values.map(patternOf));
  const [pattern] = patterns;
  if (pattern && patterns.size === 1) {
    const reason = `confirm: the values of ${quoted(column.header)} are plain numbers`;
    return [{ key: 'datePatterns', value: [pattern], reason }];
  }
  const problems = values.map((cell) => (typeof cell === 'string' ? parseDateText(trimText(cell)) : null));
  if (!problems.includes(TWO_DIGIT_YEAR)) return [];
  const reason = `confirm: ${quoted(column.header)} has years of two digits`;
  return [{ key: 'twoDigitYears', value: 2000, reason }, ...orderSetting(column.header, values)];
}

/**
 * The order of day and month. With a year of two digits each of the three numbers may be the year; that the year comes last
 * is a guess.
 */
function orderSetting(header: string, values: readonly Cell[]): readonly SampleSetting[] {
  const dates = values.flatMap((cell) => {
    const parsed =
      typeof cell === 'string'
        ? parseDateText(trimText(cell), { ...USUAL_DATES, twoDigitYears: 2000 })
        : null;
    return parsed && 'date' in parsed && 'first' in parsed.date ? [parsed.date] : [];
  });
  const isDayFirst = dates.some(({ first }) => first > 12);
  const isMonthFirst = dates.some(({ second }) => second > 12);
  if (isDayFirst === isMonthFirst) return [];
  const value = isDayFirst ? 'day-first' : 'month-first';
  const place = isDayFirst ? 'first' : 'second';
  return [
    {
      key: 'dateOrder',
      value,
      reason: `confirm: the ${place} number of ${quoted(header)} goes beyond 12; with years of two digits it may be the year`,
    },
  ];
}

function patternOf(cell: Cell): string | null {
  const isNumber =
    typeof cell === 'number' || (typeof cell === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(cell));
  if (!isNumber || /^\s*\d{8}\s*$/.test(String(cell))) return null;
  return countedTime(String(cell).trim())?.pattern ?? null;
}

function quoted(text: string): string {
  return `"${text}"`;
}
