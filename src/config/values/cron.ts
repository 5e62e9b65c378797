import { createTask, type ParsedFields, parse, validateDetailed } from 'node-cron';
import { dateFromMs } from '../../domain/clock.js';

/** By the clock on the wall. */
export interface CronTimes extends Pick<ParsedFields, 'second' | 'minute' | 'hour'> {
  /** True where it is due on this day, counted from 1970-01-01. */
  isDueOn(day: number): boolean;
}

const DAY_MS = 86_400_000;

/** The fields of an expression as node-cron names and orders them, and as people do. Five fields have no seconds. */
const FIELDS = [
  { key: 'second', name: 'second', min: 0, max: 59 },
  { key: 'minute', name: 'minute', min: 0, max: 59 },
  { key: 'hour', name: 'hour', min: 0, max: 23 },
  { key: 'dayOfMonth', name: 'day of month', min: 1, max: 31 },
  { key: 'month', name: 'month', min: 1, max: 12 },
  { key: 'dayOfWeek', name: 'day of week', min: 0, max: 7 },
] as const;

const VALUE =
  '(?:\\d{1,2}|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:sun|mon|fri)(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|sat(?:urday)?)';

/** A part between commas. node-cron would read `5*` for 50 to 59, and `janfeb` for December. */
const ITEM = new RegExp(
  `^(?:\\?|\\*(?:/\\d+)?|${VALUE}(?:-${VALUE}(?:/\\d+)?)?|L(?:-\\d+)?|LW|\\d+W|${VALUE}#\\d|${VALUE}L)$`,
  'i',
);

/** The end of a sentence; null: nothing is wrong. Five fields, six with seconds first, or a name such as `@daily`. */
export function cronMistake(expression: string): string | null {
  const text = inOneLine(expression);
  const { valid, errors } = validateDetailed(text);
  if (text.startsWith('@')) return valid ? null : FORM;
  const parts = text.split(' ');
  const fields = FIELDS.slice(FIELDS.length - parts.length);
  if (fields.length !== parts.length || parts.length < 5) return FORM;
  const wrong = fields.findIndex(({ key, max }, at) => {
    const items = (parts[at] ?? '').split(',');
    const isRefused = errors.some(({ field, message }) => field === key && !IMPOSSIBLE.test(message));
    // A longer step would be taken for the first value alone.
    return isRefused || !items.every((item) => ITEM.test(item) && Number(item.split('/')[1] ?? 0) <= max);
  });
  const field = fields[wrong];
  if (field !== undefined) {
    const { name, min, max } = field;
    return `has ${JSON.stringify(parts[wrong])} as ${name}, which takes ${min} to ${max}, *, lists, ranges and steps such as */2`;
  }
  if (valid) return null;
  const dates = fields.flatMap(({ name }, at) =>
    at < parts.length - 3 || /^[*?]$/.test(parts[at] ?? '') ? [] : `${name} ${parts[at]}`,
  );
  return `is never due: no date has ${dates.join(' and ')}; write a date that exists, or L for the last day of a month`;
}

const FORM =
  'must have five fields (minute, hour, day of month, month, day of week), or six with seconds first, or be @hourly, @daily, @weekly, @monthly or @yearly';

const IMPOSSIBLE = /impossible/;

export function cronTimes(expression: string): CronTimes {
  const text = inOneLine(expression);
  const { second, minute, hour, dayOfMonth, month, dayOfWeek } = parse(text);
  const firstMs = (((hour[0] ?? 0) * 60 + (minute[0] ?? 0)) * 60 + (second[0] ?? 0)) * 1_000;
  // Only a task finds whether a date is the last of its month or nearest to a weekday.
  const task = createTask(text, () => {}, { timezone: 'UTC' });
  void task.destroy();
  const hasForms = [...dayOfMonth, ...dayOfWeek].some((value) => typeof value === 'string');
  return {
    second,
    minute,
    hour,
    isDueOn(day) {
      const date = dateFromMs(day * DAY_MS + firstMs);
      if (!month.includes(date.getUTCMonth() + 1)) return false;
      if (hasForms) return task.match(date);
      return dayOfMonth.includes(date.getUTCDate()) && dayOfWeek.includes(date.getUTCDay());
    },
  };
}

/** An expression with one blank between its fields, as node-cron wants it. */
export function inOneLine(expression: string): string {
  return expression.trim().replace(/\s+/g, ' ');
}
