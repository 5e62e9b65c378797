import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import { type ColumnEvidence, issueFor, shown } from '../values/reading.js';
import { type DateOrder, dayBeforeMonth, isDate, orderDate, orderProvenBy } from './date-order.js';
import { type DateRules, parseDateText, USUAL_DATES } from './parse-date-text.js';

/** Collects what the dates of one column prove about the order of day and month: nothing also where both orders are proven. */
export interface OrderEvidence extends ColumnEvidence<DateOrder> {
  /** Adds a date of a row that becomes no record: it proves no order, and contradicts another one that is proven. */
  doubt(cell: Cell | undefined, line: number): void;
  /** Why the column can't be read in one order; null: it can. */
  issue(column: string): Issue | null;
}

type ProvenOrder = 'day-first' | 'month-first';

interface DateCell {
  readonly line: number;
  readonly text: string;
}

/** Of the dates with one separator, the first that proves each order, and the first that fits both. */
interface WrittenAlike {
  readonly proven: { [order in ProvenOrder]?: DateCell };
  open?: DateCell;
}

/**
 * Dates with one separator are no evidence for those with another: a column with both was written by two systems, or in two countries.
 * After a leading year comes the month; a date with the day there refuses the column.
 * @param isDeclared the source says the order of dates whose year comes last; only those whose year comes first are evidence then.
 */
export function createOrderEvidence(rules: DateRules = USUAL_DATES, isDeclared = false): OrderEvidence {
  const bySeparator = new Map<string, WrittenAlike>();
  const doubts: WrittenAlike['proven'] = {};
  /** The first date with its year first that is possible only with the day before the month. */
  let dayAfterYear: DateCell | null = null;
  const firstOf = (order: ProvenOrder): DateCell | undefined =>
    [...bySeparator.values()]
      .flatMap(({ proven }) => proven[order] ?? [])
      .sort((one, other) => one.line - other.line)[0];
  const order = (): ProvenOrder | null => {
    const [dayFirst, monthFirst] = [firstOf('day-first'), firstOf('month-first')];
    if (dayFirst) return monthFirst ? null : 'day-first';
    return monthFirst ? 'month-first' : null;
  };
  const collect = (cell: Cell | undefined, line: number, isProof: boolean) => {
    if (typeof cell !== 'string') return;
    const place = { line, text: cell };
    const separator = isDeclared ? undefined : NUMERIC_DATE.exec(cell)?.[1];
    if (separator === undefined) {
      if (hasDayAfterYear(cell)) dayAfterYear ??= place;
      return;
    }
    const parsed = parseDateText(cell, rules);
    if ('problem' in parsed || !('first' in parsed.date)) return;
    const proves = orderProvenBy(parsed.date);
    if (!isProof) {
      if (proves !== null) doubts[proves] ??= place;
      return;
    }
    const alike = bySeparator.get(separator) ?? { proven: {} };
    bySeparator.set(separator, alike);
    if (proves !== null) alike.proven[proves] ??= place;
    else if (!alike.open && orderDate(parsed.date, null) === 'open') alike.open = place;
  };
  return {
    doubt: (cell, line) => collect(cell, line, false),
    add: (cell, line) => collect(cell, line, true),
    proof: order,
    isAsked: () => bySeparator.size > 0 || dayAfterYear !== null,
    issue: (column) => {
      if (dayAfterYear) return issueFor('day-after-year', column, { place: placeOf(dayAfterYear) });
      const proven = order();
      const dayFirst = firstOf('day-first') ?? (proven && doubts['day-first']);
      const monthFirst = firstOf('month-first') ?? (proven && doubts['month-first']);
      if (dayFirst && monthFirst) {
        const parts = { day: placeOf(dayFirst), month: placeOf(monthFirst) };
        return issueFor('both-orders', column, parts);
      }
      // Dates of one separator prove an order, and those of another could be either.
      const proof = dayFirst ?? monthFirst;
      const doubtful = [...bySeparator.values()].find(
        ({ proven: { 'day-first': day, 'month-first': month }, open }) => open && !day && !month,
      )?.open;
      if (!proven || !proof || !doubtful) return null;
      const parts = { proof: placeOf(proof), first: dayFirst ? 'day' : 'month', open: placeOf(doubtful) };
      return issueFor('two-writings', column, { ...parts, proven });
    },
  };
}

/** True for a date with its year first that is one only with the day before the month. */
export function hasDayAfterYear(text: string): boolean {
  const [, year, , second, third] = YEAR_FIRST.exec(text) ?? [];
  const date = { year: Number(year), month: Number(second), day: Number(third) };
  return year !== undefined && !isDate(date) && isDate(dayBeforeMonth(date));
}

const YEAR_FIRST = /^\s*(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)/;

/** Keeps ISO dates and empty cells from the parser: only a date with its year last can prove an order. */
const NUMERIC_DATE = /(?<!\d)\d{1,2}\s?([-/.])\s?\d{1,2}\s?[-/.]\s?\d{2}/;

function placeOf({ line, text }: DateCell): string {
  return `line ${line} ("${shown(text)}")`;
}
