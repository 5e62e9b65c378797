import type { SourceConfig } from '../config/schema.js';
import { type CalendarDate, fullYear, type NumericDate } from './parse-date-text.js';

/** The order of day, month and year in numeric dates. A year of four digits at the front needs no order. */
export type DateOrder = NonNullable<SourceConfig['dateOrder']>;

/**
 * The date that a numeric one means. `open`: both ways round are days of the calendar, they differ, and no order
 * is known; null: no day of the calendar in that order, or in any.
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

/** The order that a numeric date proves: only one way round is a day of the calendar. null: it proves none. */
export function orderProvenBy(date: NumericDate): 'day-first' | 'month-first' | null {
  if (date.pivot !== null) return null;
  const dayFirst = inOrder(date, 'day-first');
  const monthFirst = inOrder(date, 'month-first');
  if (dayFirst && !monthFirst) return 'day-first';
  return monthFirst && !dayFirst ? 'month-first' : null;
}

/** True for a day of the (Gregorian) calendar. */
export function isDate({ year, month, day }: CalendarDate): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= (month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0));
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function inOrder({ first, second, third, pivot }: NumericDate, order: DateOrder): CalendarDate | null {
  const yearOf = (number: number) => (pivot === null ? number : fullYear(number, pivot));
  if (order === 'day-first') return asDate(yearOf(third), second, first);
  if (order === 'month-first') return asDate(yearOf(third), first, second);
  return pivot === null ? null : asDate(yearOf(first), second, third);
}

function asDate(year: number, month: number, day: number): CalendarDate | null {
  const date = { year, month, day };
  return isDate(date) ? date : null;
}
