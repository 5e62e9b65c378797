import { isWeekday, monthOfName } from './month-names.js';
import { parseIsoTime } from './parse-iso-time.js';
import { trimText } from './trim-text.js';

/** What a text says about a moment, as it is written: nothing of it is checked against the calendar yet. */
export interface DateText {
  readonly date: CalendarDate | NumericDate;
  /** Since midnight, up to 86,400,000 (24:00); null for a date without a time. */
  readonly timeMs: number | null;
  /** 'UTC', an offset such as '+02:00' or a name such as 'Europe/Berlin', not yet looked up; null: none. */
  readonly zone: string | null;
}

/** A date whose parts are known from the way it is written. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** A date such as 03/04/2024: `first` and `second` are day and month, one way round or the other. */
export interface NumericDate {
  readonly year: number;
  readonly first: number;
  readonly second: number;
}

/** Why a text is no date, the end of a sentence that begins with the value. */
export interface DateTextProblem {
  readonly problem: string;
}

/** Longest text that can be a date with weekday, month name, seconds and zone; anything longer is prose. */
const LONGEST_DATE = 100;

/** Reads the forms of dates and times that exports use. Expects non-empty text; never throws. */
export function parseDateText(cell: string): DateText | DateTextProblem {
  const plain = parseIsoTime(cell);
  if (plain) return plain;
  if (cell.length > LONGEST_DATE) return UNREADABLE;
  const text = withoutWeekday(trimText(cell.normalize('NFKC')).replace(/\s+/g, ' '));
  const found = findDate(text);
  if (!found) return /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? PLAIN_NUMBER : UNREADABLE;
  if ('problem' in found) return found;
  const time = findTime(found);
  if ('problem' in time) return time;
  const zone = zoneOf(trimText(time.rest));
  return zone !== null && typeof zone === 'object' ? zone : { date: found.date, timeMs: time.timeMs, zone };
}

const UNREADABLE: DateTextProblem = { problem: 'is not a date that can be read' };

const PLAIN_NUMBER: DateTextProblem = {
  problem: 'is a plain number: whether it counts days or seconds, and from when, is not declared',
};

const TWO_DIGIT_YEAR: DateTextProblem = { problem: 'has a year of two digits' };

interface FoundDate {
  readonly date: CalendarDate | NumericDate;
  readonly rest: string;
  /** Written without separators, as its time may be. */
  readonly isBasic: boolean;
}

/** Year first; the same separator twice. */
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
/** 20240310, alone or before a time; with 103000 or 1030 behind it, the time without separators. */
const BASIC = /^(\d{4})(\d{2})(\d{2})(?:(?!\d)|(?=\d{4}(?:\d{2})?$))/;
/** Year last, day and month in either order. */
const YEAR_LAST = /^(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{4}|\d{2})(?!\d)/;
const DAY_NAME_YEAR =
  /^(\d{1,2})(?:st|nd|rd|th|er|[oa](?= )|\.)?[ \-/.,]*(?:(?:de|of) )?(\p{L}+)\.?[ \-/.,]*(?:(?:de|del|of) )?(\d{4}|\d{2})(?!\d)/iu;
const NAME_DAY_YEAR = /^(\p{L}+)\.?[ \-/.]*(\d{1,2})(?:st|nd|rd|th)?[ \-/.,]+(\d{4}|\d{2})(?!\d)/iu;
const YEAR_NAME_DAY = /^(\d{4})[ \-/.,]+(\p{L}+)\.?[ \-/.,]+(\d{1,2})(?!\d)/u;

function findDate(text: string): FoundDate | DateTextProblem | null {
  const iso = YEAR_FIRST.exec(text);
  if (iso) return calendar(text, iso, iso[1], Number(iso[3]), iso[4]);
  const basic = BASIC.exec(text);
  if (basic) return calendar(text, basic, basic[1], Number(basic[2]), basic[3]);
  const numeric = YEAR_LAST.exec(text);
  if (numeric) {
    if (numeric[4]?.length === 2) return TWO_DIGIT_YEAR;
    const date = { year: Number(numeric[4]), first: Number(numeric[1]), second: Number(numeric[3]) };
    return { date, rest: text.slice(numeric[0].length), isBasic: false };
  }
  const dayFirst = DAY_NAME_YEAR.exec(text);
  if (dayFirst) return calendar(text, dayFirst, dayFirst[3], monthOfName(dayFirst[2] ?? ''), dayFirst[1]);
  const nameFirst = NAME_DAY_YEAR.exec(text);
  if (nameFirst)
    return calendar(text, nameFirst, nameFirst[3], monthOfName(nameFirst[1] ?? ''), nameFirst[2]);
  const yearFirst = YEAR_NAME_DAY.exec(text);
  if (yearFirst)
    return calendar(text, yearFirst, yearFirst[1], monthOfName(yearFirst[2] ?? ''), yearFirst[3]);
  return null;
}

function calendar(
  text: string,
  match: RegExpExecArray,
  year: string | undefined,
  month: number | null,
  day: string | undefined,
): FoundDate | DateTextProblem | null {
  if (month === null) return null;
  if (year?.length === 2) return TWO_DIGIT_YEAR;
  return {
    date: { year: Number(year), month, day: Number(day) },
    rest: text.slice(match[0].length),
    isBasic: /^\d{8}/.test(match[0]),
  };
}

/** What may stand between date and time; words of the languages of `month-names`. */
const BEFORE_TIME = /^(?:t(?=\d)|,? ?(?:- )?(?:(?:at|um|om|à|às|alle|a las) )?(?=\d))/iu;
const CLOCK =
  /^(\d{1,2})(?:[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(?: ?([ap])(?:\.m\.|m(?!\p{L})))?(?: uhr(?!\p{L}))?/iu;
const BASIC_CLOCK = /^(\d{2})(\d{2})(\d{2})?(?:[.,](\d{1,9}))?(?!\d)/;

function findTime(found: FoundDate): { timeMs: number | null; rest: string } | DateTextProblem {
  const before = BEFORE_TIME.exec(found.rest);
  if (!before) return { timeMs: null, rest: found.rest };
  const rest = found.rest.slice(before[0].length);
  const clock = (found.isBasic ? BASIC_CLOCK.exec(rest) : null) ?? CLOCK.exec(rest);
  // A number alone is no time: an hour needs minutes, or am or pm.
  if (!clock || (clock[2] === undefined && clock[5] === undefined)) return UNREADABLE;
  const timeMs = timeOf(clock);
  return timeMs === null
    ? { problem: `has the impossible time "${clock[0].trim()}"` }
    : { timeMs, rest: rest.slice(clock[0].length) };
}

/** Milliseconds since midnight; null for a time that no clock shows. */
function timeOf(clock: RegExpExecArray): number | null {
  const [, hours, minutes = '0', seconds = '0', fraction = '', half] = clock;
  let hour = Number(hours);
  const minute = Number(minutes);
  const second = Number(seconds);
  if (minute > 59 || second > 59) return null;
  if (half !== undefined) {
    // 00:30 AM is not proper English, and still written by machines; 00:30 PM would be a guess.
    const isMorning = half.toLowerCase() === 'a';
    if (hour > 12 || (hour === 0 && !isMorning)) return null;
    hour = (hour % 12) + (isMorning ? 0 : 12);
  }
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  return timeMs > 86_400_000 ? null : timeMs;
}

const OFFSET = /^(?:utc|gmt)? ?([+-])(\d{1,2})(?::?([0-5]\d))?(?: ?[([][^)\]]*[)\]])?$/i;
const ZONE_NAME = /^[([]?([a-z_]+(?:\/[a-z0-9_+-]+)+)[)\]]?$/i;

/** null: no zone. */
function zoneOf(text: string): string | null | DateTextProblem {
  if (text === '') return null;
  if (/^[([]?(?:z|utc|gmt)[)\]]?$/i.test(text)) return 'UTC';
  const offset = OFFSET.exec(text);
  if (offset && Number(offset[2]) <= 14) {
    return `${offset[1]}${(offset[2] ?? '').padStart(2, '0')}:${offset[3] ?? '00'}`;
  }
  const name = ZONE_NAME.exec(text)?.[1];
  if (name !== undefined) return name;
  // EST, IST, CST: an abbreviation is used by several countries, or may be meant with or without summer time.
  return /^[a-z]{2,5}$/i.test(text)
    ? { problem: `ends in "${text}", which names no single time zone` }
    : UNREADABLE;
}

function withoutWeekday(text: string): string {
  const word = /^([\p{L}-]+)\.?,? /u.exec(text);
  // "Mar 10 2024" begins with a month, although "mar" is also a Tuesday in French.
  if (!word || !isWeekday(word[1] ?? '')) return text;
  const rest = text.slice(word[0].length);
  return findDate(text) && !findDate(rest) ? text : rest;
}
