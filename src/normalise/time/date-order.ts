import type { SourceConfig } from '../../config/schema.js';

/** The order of day, month and year in numeric dates. A year of four digits at the front needs no order. */
export type DateOrder = NonNullable<SourceConfig['dateOrder']>;

/** The day that a numeric date means. `open`: both orders give different days, and no order is known; null: no day of the calendar. */
export function orderDate(date: NumericDate, order: DateOrder | null): CalendarDate | 'open' | null {
  if (order !== null) return inOrder(date, order);
  // With a year of two digits, any of the three may be the year: only a declaration settles that.
  if (date.pivot !== null) return 'open';
  const dayFirst = inOrder(date, 'day-first');
  const monthFirst = inOrder(date, 'month-first');
  if (dayFirst && monthFirst) return date.first === date.second ? dayFirst : 'open';
  return dayFirst ?? monthFirst;
}

/** The order that a numeric date proves: only that order gives a day of the calendar. null: it proves none. */
export function orderProvenBy(date: NumericDate): 'day-first' | 'month-first' | null {
  const orders = (['day-first', 'month-first'] as const).filter((order) => inOrder(date, order));
  return date.pivot === null && orders.length === 1 ? (orders[0] ?? null) : null;
}

/** The same numbers with the day before the month, as in 2025-31-12. */
export function dayBeforeMonth({ year, month, day }: CalendarDate): CalendarDate {
  return { year, month: day, day: month };
}

/** True for a day of the (Gregorian) calendar, in a year of four digits: `Date.UTC` takes 50 for 1950. */
export function isDate({ year, month, day }: CalendarDate): boolean {
  return year >= 1000 && day >= 1 && day <= daysIn(month, year);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 0 where there is no such month. */
function daysIn(month: number, year: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
}

/** The day that the date is in that order; null where it is none of the calendar, or where a year can't be there. */
function inOrder({ first, second, third, pivot }: NumericDate, order: DateOrder): CalendarDate | null {
  if (order === 'year-first' && pivot === null) return null;
  const [year, month, day] = {
    'day-first': [third, second, first],
    'month-first': [third, first, second],
    'year-first': [first, second, third],
  }[order] as [number, number, number];
  const date = { year: pivot === null ? year : fullYear(year, pivot), month, day };
  return isDate(date) ? date : null;
}

/** The year that two digits mean, in the hundred years from `pivot`. */
export function fullYear(twoDigits: number, pivot: number): number {
  const year = pivot - (pivot % 100) + twoDigits;
  return year < pivot ? year + 100 : year;
}

/** Not checked against the calendar yet. */
export interface DateText {
  readonly date: CalendarDate | NumericDate;
  /** Since midnight, up to 86,400,000 (24:00); null for a date without a time. */
  readonly timeMs: number | null;
  /** 'UTC', an offset such as '+02:00' or an IANA name; null: none. */
  readonly zone: string | null;
}

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** 03/04/2024: `first` and `second` are day and month in either order; with a year of two digits, any of the three may be the year. */
export interface NumericDate {
  readonly first: number;
  readonly second: number;
  readonly third: number;
  /** First of the hundred years that a year of two digits falls in; null: `third` is a year of four digits. */
  readonly pivot: number | null;
}

/** Why a text is no date, the end of a sentence that begins with the value. */
export interface DateTextProblem {
  readonly problem: string;
  /** The remedy, where it is not simply to write the time in another way. */
  readonly remedy?: string;
}
