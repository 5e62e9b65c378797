import type { NumberPattern } from '../../config/values/date-pattern.js';
import { LANGUAGES, words } from '../../config/words/words.js';
import { isoFromMs } from '../../domain/clock.js';
import { once } from '../../domain/process/once.js';
import { trimText } from '../values/trim-text.js';
import { type ZoneNames, zoneNamed } from '../values/zone-names.js';
import {
  type CalendarDate,
  type DateText,
  type DateTextProblem,
  fullYear,
  type NumericDate,
} from './date-order.js';

export interface DateRules {
  readonly twoDigitYears: number | null;
  readonly monthOf: MonthNames;
  readonly zones: ZoneNames;
}

export const USUAL_DATES: DateRules = { twoDigitYears: null, monthOf: monthNames(), zones: {} };

/** Longest text that can be a date with weekday, month name, seconds and zone; anything longer is prose. */
const LONGEST_DATE = 100;

/** Reads the forms of dates and times that exports use. Expects non-empty text; never throws. */
export function parseDateText(cell: string, rules: DateRules = USUAL_DATES): DateText | DateTextProblem {
  const iso = parseIsoTime(cell);
  if (iso) return iso;
  if (cell.length > LONGEST_DATE) return UNREADABLE;
  const text = withoutWeekday(oneLine(cell), rules);
  const date = findDate(text, rules);
  if (!date) return /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? PLAIN_NUMBER : UNREADABLE;
  if ('problem' in date) return date;
  const time = findTime(date);
  if ('problem' in time) return time;
  const zone = zoneOf(trimText(time.rest), rules.zones);
  return zone !== null && typeof zone === 'object' ? zone : { date: date.date, timeMs: time.timeMs, zone };
}

/** The text as dates are compared: compatibility forms folded, on one line, nothing around it. */
export function oneLine(cell: string): string {
  return trimText(cell.normalize('NFKC')).replace(/\s+/g, ' ');
}

/** Milliseconds since midnight, up to 24:00; null for a time that no clock shows. `half`: "am", "p.m." or none. */
export function timeOfDay(
  hours: number,
  minutes: number,
  seconds: number,
  ms: number,
  half: string | null,
): number | null {
  let hour = hours;
  if (minutes > 59 || seconds > 59) return null;
  if (half !== null) {
    // 00:30 AM is not proper English, and still written by machines; 00:30 PM would be a guess.
    const isMorning = half.toLowerCase().startsWith('a');
    if (hour > 12 || (hour === 0 && !isMorning)) return null;
    hour = (hour % 12) + (isMorning ? 0 : 12);
  }
  const timeMs = ((hour * 60 + minutes) * 60 + seconds) * 1000 + ms;
  return timeMs > 86_400_000 ? null : timeMs;
}

/** The zone at the end of a text, or why the words there are none; null: there are no words. */
export function zoneOf(text: string, declared: ZoneNames): string | null | DateTextProblem {
  if (text === '') return null;
  const named = /^[([]?z[)\]]?$/i.test(text) ? 'UTC' : zoneNamed(text, declared);
  if (named !== null) return named;
  // A name in brackets after an offset repeats it: +01:00[Europe/Berlin], GMT+0100 (Central European Time).
  const offset = /^([^([]*[+-][\d:]+) ?[([][^)\]]*[)\]]$/.exec(text)?.[1];
  const zone = offset === undefined ? null : zoneNamed(offset);
  if (zone !== null) return zone;
  // EST, IST, CST: an abbreviation is used by several countries, or may be meant with or without summer time.
  if (/^[a-z]{2,5}$/i.test(text)) {
    return {
      problem: `ends in "${text}", which names no single time zone unless zoneNames of the source says which`,
      remedy: `say which it is: zoneNames: { "${text}": America/New_York } (for instance) for the source in registrar.yaml`,
    };
  }
  return /^[a-z_]+(?:\/[a-z0-9_+-]+)+$/i.test(text)
    ? { problem: `names the time zone "${text}", which is not known` }
    : UNREADABLE;
}

const UNREADABLE: DateTextProblem = { problem: 'is not a date that can be read' };

/** A plain number may count days or seconds, from several beginnings. */
const PLAIN_NUMBER: DateTextProblem = {
  problem: 'is a plain number: whether it counts days or seconds, and from when, is not declared',
  remedy:
    'set datePatterns: [excel-serial] for the source in registrar.yaml if it counts days as a spreadsheet does, [epoch-seconds] or [epoch-milliseconds] if it counts from 1970',
};

export const TWO_DIGIT_YEAR: DateTextProblem = {
  problem: 'has a year of two digits, and twoDigitYears of the source does not say of which century',
  remedy:
    'set twoDigitYears: 2000 for the source in registrar.yaml if 00 to 99 are 2000 to 2099; and dateOrder where all three are numbers, because any of them may be the year then',
};

interface FoundDate {
  readonly date: CalendarDate | NumericDate;
  readonly rest: string;
  /** Written without separators, as its time may be. */
  readonly isBasic: boolean;
}

/** The forms of dates; the first that matches counts. `name` is a word that may name a month. */
const FORMS: readonly RegExp[] = [
  // Year first; the same separator twice.
  /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?!\d)/,
  // 20240310, alone or before a time; with 103000 or 1030 after it, the time without separators.
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:(?!\d)|(?=\d{4}(?:\d{2})?$))/,
  // Year last, day and month in either order.
  /^(?<first>\d{1,2}) ?(?<mark>[-/.]) ?(?<second>\d{1,2}) ?\k<mark> ?(?<year>\d{4}|\d{2})(?!\d)/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th|er|[oa](?= )|\.)?[ \-/.,]*(?:(?:de|of) )?(?<name>\p{L}+)\.?[ \-/.,]*(?:(?:de|del|of) )?(?<year>\d{4}|\d{2})(?!\d)/iu,
  /^(?<name>\p{L}+)\.?[ \-/.]*(?<day>\d{1,2})(?:st|nd|rd|th)?[ \-/.,]+(?<year>\d{4}|\d{2})(?!\d)/iu,
  /^(?<year>\d{4})[ \-/.,]+(?<name>\p{L}+)\.?[ \-/.,]+(?<day>\d{1,2})(?!\d)/u,
];

function findDate(text: string, rules: DateRules): FoundDate | DateTextProblem | null {
  for (const form of FORMS) {
    const match = form.exec(text);
    if (match) return dateOf(match, text.slice(match[0].length), rules);
  }
  return null;
}

function dateOf(match: RegExpExecArray, rest: string, rules: DateRules): FoundDate | DateTextProblem | null {
  const { first, second, year: digits = '', month: number, name, day } = match.groups ?? {};
  const month = name === undefined ? Number(number) : rules.monthOf(name);
  if (month === null) return null;
  const year = yearOf(digits, rules);
  if (year === null) return TWO_DIGIT_YEAR;
  const date =
    first === undefined
      ? { year, month, day: Number(day) }
      : {
          first: Number(first),
          second: Number(second),
          third: Number(digits),
          pivot: digits.length === 2 ? rules.twoDigitYears : null,
        };
  return { date, rest, isBasic: /^\d{8}/.test(match[0]) };
}

/** null: of two digits, and the source doesn't say of which century. */
export function yearOf(digits: string, { twoDigitYears }: DateRules): number | null {
  if (digits.length > 2) return Number(digits);
  return twoDigitYears === null ? null : fullYear(Number(digits), twoDigitYears);
}

/** What may come between date and time; words of the languages of `month-names`. */
const BEFORE_TIME = /^(?:t(?=\d)|,? ?(?:- )?(?:(?:at|um|om|à|às|alle|a las) )?(?=\d))/iu;
const BASIC_CLOCK = /^(\d{2})(\d{2})(\d{2})?(?!\d)/;

function findTime({ rest, isBasic }: FoundDate): { timeMs: number | null; rest: string } | DateTextProblem {
  const before = BEFORE_TIME.exec(rest);
  if (!before) return { timeMs: null, rest };
  const text = rest.slice(before[0].length);
  const clock = clockAt(
    isBasic
      ? text.replace(BASIC_CLOCK, (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`)
      : text,
  );
  if (clock === null) return UNREADABLE;
  return clock.timeMs === null ? { problem: 'has an impossible time' } : clock;
}

const CLOCK =
  /^(\d{1,2})(?:([:h.])(\d{2})?(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?: ?([ap])(?:\.m\.?|m(?!\p{L})))?(?: ?(uhr)(?!\p{L}))?/iu;

/** The time with which a text begins (2:30 PM, 14h30, 14.30 Uhr), or null; `timeMs` is null for one that no clock shows. */
export function clockAt(text: string): { readonly timeMs: number | null; readonly rest: string } | null {
  const match = CLOCK.exec(text);
  if (!match) return null;
  const [whole, hours, mark, minutes, seconds, fraction = '', half = null, word] = match;
  // A number alone is no time; 14.30 is one only with a word for the time, and 14: never is.
  const isHour = half !== null || word !== undefined || mark?.toLowerCase() === 'h';
  if (minutes === undefined ? !isHour || mark === ':' || mark === '.' : mark === '.' && !isHour) return null;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const timeMs = timeOfDay(Number(hours), Number(minutes ?? 0), Number(seconds ?? 0), ms, half);
  return { timeMs, rest: text.slice(whole.length) };
}

function withoutWeekday(text: string, rules: DateRules): string {
  const word = /^([\p{L}-]+)\.?,? /u.exec(text);
  // "Mar 10 2024" begins with a month, although "mar" is also a Tuesday in French.
  if (!word || !weekdays().has(foldWord(word[1] ?? ''))) return text;
  const rest = text.slice(word[0].length);
  return findDate(text, rules) && !findDate(rest, rules) ? text : rest;
}

/** Reads the ISO forms that nearly every row has as `parseDateText` does, many times as fast; null for every other text. */
export function parseIsoTime(text: string): DateText | null {
  const match = text.length > LONGEST ? null : ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second = 0, ms = 0, zone] = match;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  if (hour === undefined) return { date, timeMs: null, zone: null };
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(ms);
  return { date, timeMs, zone: zone === undefined ? null : 'UTC' };
}

const LONGEST = '2024-03-01T10:30:15.123Z'.length;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3}))?)?(Z)?)?$/;

/** Days from the beginning of a workbook's count to 1970-01-01. */
const SERIAL_OF_1970 = { 'excel-serial': 25_569, 'excel-serial-1904': 24_107 } as const;

/** Serial 60 is the 29 February 1900 that never was; the serials before it lie one day off. No export uses them. */
const FIRST_SOUND_SERIAL = 61;

/** The last moment a date can hold; more digits than that are another number. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** Reads a number by a pattern of numbers; null for a text that is none. */
export function readNumber(text: string, pattern: NumberPattern): DateText | DateTextProblem | null {
  if (!/^\d{1,15}(?:\.\d{1,12})?$/.test(text)) return null;
  const number = Number(text);
  if (pattern === 'epoch-seconds') return momentOf(number * 1000);
  if (pattern === 'epoch-milliseconds') return momentOf(number);
  if (number < FIRST_SOUND_SERIAL)
    return { problem: 'counts days from before March 1900, which no workbook does reliably' };
  // A fraction of a day holds no time exactly: seconds are as fine as a workbook shows it.
  const moment = momentOf(Math.round((number - SERIAL_OF_1970[pattern]) * 86_400) * 1000);
  if ('problem' in moment) return moment;
  return { ...moment, timeMs: Number.isInteger(number) ? null : moment.timeMs, zone: null };
}

function momentOf(ms: number): DateText | DateTextProblem {
  const moment = ms > LAST_MS ? null : parseIsoTime(isoFromMs(Math.floor(ms)));
  return moment ?? { problem: 'is too large a number for a time' };
}

/** The month (1-12) that a word names; null for a word that names none, or not the same one in all languages. */
export type MonthNames = (word: string) => number | null;

/** The month names of some languages, written out or abbreviated, with or without accents, in any case. */
export function monthNames(languages: readonly string[] = LANGUAGES): MonthNames {
  const months = once(() => {
    const byName = new Map<string, number | null>();
    for (const language of languages) {
      for (const [index, names] of words('dates.months', language).entries()) {
        for (const name of names.split(' ').map(foldWord)) {
          const month = byName.get(name);
          byName.set(name, month === undefined || month === index + 1 ? index + 1 : null);
        }
      }
    }
    return byName;
  });
  return (word) => months().get(foldWord(word)) ?? null;
}

const weekdays = once(
  () => new Set(words('dates.weekdays').flatMap((names) => names.split(' ').map(foldWord))),
);

function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
