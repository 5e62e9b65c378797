import type { Issue } from '../../domain/issue.js';
import { shown } from '../reading.js';
import { type DateOrder, orderDate, orderProvenBy } from './date-order.js';
import { type DateRules, parseDateText, USUAL_DATES } from './parse-date-text.js';

/** Collects what the dates of one column prove about the order of day and month. */
export interface OrderEvidence {
  add(cell: unknown, line: number): void;
  /** null: nothing proves an order, or both are proven. */
  order(): DateOrder | null;
  /** True when some date is numeric, so that its reading depends on the order. */
  isAsked(): boolean;
  /** Why the column can't be read in one order; null: it can. */
  issue(column: string): Issue | null;
}

type ProvenOrder = 'day-first' | 'month-first';

interface Found {
  readonly line: number;
  readonly text: string;
}

/** The evidence of the dates with one separator: the first date that proves each order, and the first that fits both. */
interface WrittenAlike {
  readonly proven: { [order in ProvenOrder]?: Found };
  open?: Found;
}

/**
 * Evidence before any cell. Dates with one separator are no evidence for those with another: a column with both was written by
 * two systems, or in two countries. Keeps some lines of evidence, however long the column is.
 */
export function createOrderEvidence(rules: DateRules = USUAL_DATES): OrderEvidence {
  const bySeparator = new Map<string, WrittenAlike>();
  const firstOf = (order: ProvenOrder): Found | undefined =>
    [...bySeparator.values()]
      .flatMap(({ proven }) => proven[order] ?? [])
      .sort((one, other) => one.line - other.line)[0];
  const order = (): ProvenOrder | null => {
    const [dayFirst, monthFirst] = [firstOf('day-first'), firstOf('month-first')];
    if (dayFirst) return monthFirst ? null : 'day-first';
    return monthFirst ? 'month-first' : null;
  };
  return {
    add: (cell, line) => {
      const separator = typeof cell === 'string' ? NUMERIC_DATE.exec(cell)?.[1] : undefined;
      if (typeof cell !== 'string' || separator === undefined) return;
      const parsed = parseDateText(cell, rules);
      if ('problem' in parsed || !('first' in parsed.date)) return;
      const alike = bySeparator.get(separator) ?? { proven: {} };
      bySeparator.set(separator, alike);
      const proves = orderProvenBy(parsed.date);
      if (proves !== null) alike.proven[proves] ??= { line, text: cell };
      else if (!alike.open && orderDate(parsed.date, null) === 'open') alike.open = { line, text: cell };
    },
    order,
    isAsked: () => bySeparator.size > 0,
    issue: (column) => {
      const dayFirst = firstOf('day-first');
      const monthFirst = firstOf('month-first');
      if (dayFirst && monthFirst) return contradiction(column, dayFirst, monthFirst);
      const proven = order();
      const proof = dayFirst ?? monthFirst;
      const doubtful = [...bySeparator.values()].find(({ proven, open }) => open && !hasAny(proven))?.open;
      return proven && proof && doubtful ? borrowed(column, proven, proof, doubtful) : null;
    },
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
