import type { SourceConfig } from '../../config/schema.js';
import type { CalendarDate, NumericDate } from './date-text.js';
import { fullYear } from './parse-date-text.js';

/** The order of day, month and year in numeric dates. A year of four digits at the front needs no order. */
export type DateOrder = NonNullable<SourceConfig['dateOrder']>;

/**
 * The day that a numeric date means. `open`: both orders give a day of the calendar, the two differ, and no order is known; null:
 * no day of the calendar in that order, or in any.
 */
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
  if (date.pivot !== null) return null;
  const dayFirst = inOrder(date, 'day-first');
  const monthFirst = inOrder(date, 'month-first');
  if (dayFirst && !monthFirst) return 'day-first';
  return monthFirst && !dayFirst ? 'month-first' : null;
}

/** The same numbers with the day before the month, as in 2025-31-12. */
export function dayBeforeMonth({ year, month, day }: CalendarDate): CalendarDate {
  return { year, month: day, day: month };
}

/** True for a day of the (Gregorian) calendar. */
export function isDate({ year, month, day }: CalendarDate): boolean {
  return day >= 1 && day <= daysIn(month, year);
}

/**
 * Why a date is no day of the calendar, as the end of a sentence that begins with the date. Of the two readings of a numeric date
 * without known order, the one with an existing month counts.
 */
export function whyNoDay(date: CalendarDate | NumericDate, order: DateOrder | null): string {
  if (!('first' in date)) return `is not a day of the calendar: ${fault(date)}`;
  const orders = order === null ? (['day-first', 'month-first'] as const) : [order];
  const read = orders.flatMap((one) => partsIn(date, one) ?? []);
  const withMonth = read.find(({ month, year }) => daysIn(month, year) > 0);
  if (withMonth) return `is not a day of the calendar: ${fault(withMonth)}`;
  if (order === null)
    return `is not a day of the calendar: neither ${date.first} nor ${date.second} is a month`;
  const why = read[0] ? `: ${fault(read[0])}` : '';
  return `is not a date in the order ${order} of the source or its column${why}`;
}

function fault({ year, month, day }: CalendarDate): string {
  const days = daysIn(month, year);
  if (days === 0) return `there is no month ${month}`;
  if (day < 1) return `there is no day ${day}`;
  return `${MONTHS[month - 1]?.[0]}${month === 2 ? ` ${year}` : ''} has ${days} days`;
}

const MONTHS: readonly (readonly [name: string, days: number])[] = [
  ['January', 31],
  ['February', 28],
  ['March', 31],
  ['April', 30],
  ['May', 31],
  ['June', 30],
  ['July', 31],
  ['August', 31],
  ['September', 30],
  ['October', 31],
  ['November', 30],
  ['December', 31],
];

/** 0 where there is no such month. */
function daysIn(month: number, year: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTHS[month - 1]?.[1] ?? 0);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function inOrder(date: NumericDate, order: DateOrder): CalendarDate | null {
  const parts = partsIn(date, order);
  return parts !== null && isDate(parts) ? parts : null;
}

/** The parts of the date in that order, whether it is a day of the calendar or not; null where a year can't stand there. */
function partsIn({ first, second, third, pivot }: NumericDate, order: DateOrder): CalendarDate | null {
  const yearOf = (number: number) => (pivot === null ? number : fullYear(number, pivot));
  if (order === 'day-first') return { year: yearOf(third), month: second, day: first };
  if (order === 'month-first') return { year: yearOf(third), month: first, day: second };
  return pivot === null ? null : { year: yearOf(first), month: second, day: third };
}
