import type { Issue } from '../../domain/issue.js';
import { shown } from '../values/reading.js';
import { type DateOrder, dayBeforeMonth, isDate, orderDate, orderProvenBy } from './date-order.js';
import type { CalendarDate } from './date-text.js';
import { type DateRules, parseDateText, USUAL_DATES } from './parse-date-text.js';

/** The order that a column may prove: the usual ones, and the day between year and month, as in 2025-31-12. */
export type ColumnOrder = DateOrder | 'year-day-month';

/** Collects what the dates of one column prove about the order of day and month. */
export interface OrderEvidence {
  add(cell: unknown, line: number): void;
  /** Adds a date of a row that becomes no record: it proves no order, and contradicts another one that is proven. */
  doubt(cell: unknown, line: number): void;
  /** null: nothing proves an order, or both are proven. */
  order(): ColumnOrder | null;
  /** True when some date's reading depends on the order. */
  isAsked(): boolean;
  /** Why the column can't be read in one order; null: it can. */
  issue(column: string): Issue | null;
}

type ProvenOrder = 'day-first' | 'month-first';

/** The orders of dates whose year comes first; anything but the usual one must be proven. */
type YearFirstOrder = 'year-month-day' | 'year-day-month';

interface Found {
  readonly line: number;
  readonly text: string;
}

/** The evidence of the dates with one separator: the first date that proves each order, and the first that fits both. */
interface WrittenAlike {
  readonly proven: { [order in ProvenOrder]?: Found };
  open?: Found;
}

/** The first date that is possible in each order alone. */
type FirstOfOrder = { [order in ProvenOrder | YearFirstOrder]?: Found };

/**
 * Evidence before any cell. Dates with one separator are no evidence for those with another: a column with both was written by
 * two systems, or in two countries. Keeps some lines of evidence, however long the column is.
 * @param isDeclared the source says the order of dates whose year comes last; only those whose year comes first are evidence then.
 */
export function createOrderEvidence(rules: DateRules = USUAL_DATES, isDeclared = false): OrderEvidence {
  const bySeparator = new Map<string, WrittenAlike>();
  const yearFirst: FirstOfOrder = {};
  const doubts: FirstOfOrder = {};
  let openYearFirst: Found | undefined;
  const firstOf = (order: ProvenOrder): Found | undefined =>
    [...bySeparator.values()]
      .flatMap(({ proven }) => proven[order] ?? [])
      .sort((one, other) => one.line - other.line)[0];
  const order = (): ProvenOrder | null => {
    const [dayFirst, monthFirst] = [firstOf('day-first'), firstOf('month-first')];
    if (dayFirst) return monthFirst ? null : 'day-first';
    return monthFirst ? 'month-first' : null;
  };
  const addYearFirst = (cell: string, line: number, to: FirstOfOrder) => {
    const date = yearFirstDate(cell);
    if (!date) return;
    const proves = yearFirstOrder(date);
    if (proves) to[proves] ??= { line, text: cell };
    else if (to === yearFirst && isOpen(date)) openYearFirst ??= { line, text: cell };
  };
  /** A skipped row that has the day between year and month, where no record shows which of the two it has. */
  const unprovenSwap = () =>
    yearFirst['year-day-month'] || yearFirst['year-month-day'] ? undefined : doubts['year-day-month'];
  return {
    doubt: (cell, line) => {
      if (typeof cell !== 'string') return;
      if (isDeclared || !NUMERIC_DATE.test(cell)) return addYearFirst(cell, line, doubts);
      const parsed = parseDateText(cell, rules);
      const proves = 'date' in parsed && 'first' in parsed.date ? orderProvenBy(parsed.date) : null;
      if (proves !== null) doubts[proves] ??= { line, text: cell };
    },
    add: (cell, line) => {
      if (typeof cell !== 'string') return;
      const separator = isDeclared ? undefined : NUMERIC_DATE.exec(cell)?.[1];
      if (separator === undefined) return addYearFirst(cell, line, yearFirst);
      const parsed = parseDateText(cell, rules);
      if ('problem' in parsed || !('first' in parsed.date)) return;
      const alike = bySeparator.get(separator) ?? { proven: {} };
      bySeparator.set(separator, alike);
      const proves = orderProvenBy(parsed.date);
      if (proves !== null) alike.proven[proves] ??= { line, text: cell };
      else if (!alike.open && orderDate(parsed.date, null) === 'open') alike.open = { line, text: cell };
    },
    order: () => (yearFirst['year-day-month'] ? 'year-day-month' : order()),
    isAsked: () =>
      bySeparator.size > 0 || yearFirst['year-day-month'] !== undefined || unprovenSwap() !== undefined,
    issue: (column) => {
      const swapped = yearFirst['year-day-month'];
      const other =
        swapped && (yearFirst['year-month-day'] ?? anyOf(bySeparator) ?? doubts['year-month-day']);
      if (swapped && other) return twoWays(column, swapped, other);
      const doubt = unprovenSwap();
      if (doubt && openYearFirst) return unproven(column, doubt, openYearFirst);
      const proven = order();
      const dayFirst = firstOf('day-first') ?? (proven && doubts['day-first']);
      const monthFirst = firstOf('month-first') ?? (proven && doubts['month-first']);
      if (dayFirst && monthFirst) return contradiction(column, dayFirst, monthFirst);
      const proof = dayFirst ?? monthFirst;
      const doubtful = [...bySeparator.values()].find(({ proven, open }) => open && !hasAny(proven))?.open;
      return proven && proof && doubtful ? borrowed(column, proven, proof, doubtful) : null;
    },
  };
}

/** A date whose year comes first, in the order in which its numbers are written; null for any other text. */
function yearFirstDate(text: string): CalendarDate | null {
  const [, year, , second, third] = YEAR_FIRST.exec(text) ?? [];
  return year === undefined ? null : { year: Number(year), month: Number(second), day: Number(third) };
}

function yearFirstOrder(date: CalendarDate): YearFirstOrder | null {
  const isUsual = isDate(date);
  const isSwapped = isDate(dayBeforeMonth(date));
  if (isUsual === isSwapped) return null;
  return isUsual ? 'year-month-day' : 'year-day-month';
}

/** True for a date that is another day with day and month the other way round. */
function isOpen(date: CalendarDate): boolean {
  return isDate(date) && isDate(dayBeforeMonth(date)) && date.day !== date.month;
}

const YEAR_FIRST = /^\s*(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)/;

/** Any date of those whose year comes last. */
function anyOf(bySeparator: ReadonlyMap<string, WrittenAlike>): Found | undefined {
  return [...bySeparator.values()].flatMap(
    ({ proven, open }) => proven['day-first'] ?? proven['month-first'] ?? open ?? [],
  )[0];
}

function twoWays(column: string, swapped: Found, other: Found): Issue {
  return {
    code: 'date-order-unknown',
    column,
    value: null,
    message: `${column} writes its dates in two ways: ${placeOf(swapped)} has the day before the month, and ${placeOf(other)} hasn't`,
    remedy: 'have the file exported with one order, or correct the dates that are wrong',
  };
}

function unproven(column: string, doubt: Found, open: Found): Issue {
  return {
    code: 'date-order-unknown',
    column,
    value: null,
    message: `${column} has the day before the month in ${placeOf(doubt)}, which is skipped, and no row that is a record shows whether ${placeOf(open)} has it too`,
    remedy:
      'say by datePatterns of the source in registrar.yaml how the dates are written, with yyyy-dd-MM or with yyyy-MM-dd',
  };
}

function hasAny(proven: WrittenAlike['proven']): boolean {
  return proven['day-first'] !== undefined || proven['month-first'] !== undefined;
}

/** Keeps ISO dates and empty cells from the parser: only a date with its year last can prove an order. */
const NUMERIC_DATE = /(?<!\d)\d{1,2}\s?([-/.])\s?\d{1,2}\s?[-/.]\s?\d{2}/;

function contradiction(column: string, dayFirst: Found, monthFirst: Found): Issue {
  return {
    code: 'date-order-unknown',
    column,
    value: null,
    message: `${column} has the day first in ${placeOf(dayFirst)} and the month first in ${placeOf(monthFirst)}`,
    remedy: `have the file exported with one order; or set dateOrder for the source in registrar.yaml, which refuses the rows of the other order${eachItsOwn(patternOf(dayFirst, 'day-first'), patternOf(monthFirst, 'month-first'))}`,
  };
}

/** Dates of one separator prove an order, and those of another could be either. */
function borrowed(column: string, order: ProvenOrder, proof: Found, doubtful: Found): Issue {
  const other = order === 'day-first' ? 'month-first' : 'day-first';
  return {
    code: 'date-order-unknown',
    column,
    value: null,
    message: `${column} writes its dates in two ways: ${placeOf(proof)} has the ${order === 'day-first' ? 'day' : 'month'} first, and whether ${placeOf(doubtful)} has it too is not proven`,
    remedy: `where all dates are so, set dateOrder: ${order} for the source in registrar.yaml${eachItsOwn(patternOf(proof, order), patternOf(doubtful, other))}`,
  };
}

function placeOf({ line, text }: Found): string {
  return `line ${line} ("${shown(text)}")`;
}

/** The end of a remedy where each separator may have its own order; empty where both dates use the same one. */
function eachItsOwn(one: string | null, other: string | null): string {
  if (one === null || other === null || separatorIn(one) === separatorIn(other)) return '';
  return `; where each way of writing has its own order, say so: datePatterns: ["${one}", "${other}"]`;
}

function separatorIn(text: string): string | undefined {
  return /[-/.]/.exec(text)?.[0];
}

const WRITTEN =
  /^\s*\d{1,2}([-/.])\d{1,2}\1(\d{4}|\d{2})(?:(,? |T)\d{1,2}:\d{2}(:\d{2})?( ?)([ap]\.?m\.?)?)?\s*$/i;

/** How the date is written, as one of `datePatterns`; null where no pattern is simple enough to propose. */
function patternOf({ text }: Found, order: ProvenOrder): string | null {
  const found = WRITTEN.exec(text);
  if (!found) return null;
  const [, mark = '/', year = '', between, seconds, space = '', half] = found;
  const day = `${order === 'day-first' ? `d${mark}M` : `M${mark}d`}${mark}${'y'.repeat(year.length)}`;
  if (between === undefined) return day;
  const clock = `${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${half ? `${space}a` : ''}`;
  return `${day}${between.toUpperCase() === 'T' ? "'T'" : between}${clock}`;
}
