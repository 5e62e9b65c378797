import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Cell, Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { type DateOrder, orderProvenBy } from './date-order.js';
import { dateRules } from './field-reader.js';
import type { FoundHeader } from './find-header.js';
import { type DateRules, parseDateText, USUAL_DATES } from './parse-date-text.js';
import { shown } from './reading.js';
import { createScaleEvidence, type ProvenScale } from './score-scale.js';

/** What only a whole column can tell. */
export interface Profile {
  /** By timestamp field: the order that its column proves, null where nothing in it proves one. */
  readonly dateOrders: Readonly<Record<string, DateOrder | null>>;
  /** By score field: the scale that its column proves, null where nothing in it proves one. */
  readonly scales: Readonly<Record<string, ProvenScale | null>>;
  /** False when it knows the first rows alone: a row that asks for more is then `undecided`. */
  readonly isWhole: boolean;
  /** Why the drop as a whole cannot be understood; empty when it can. */
  readonly issues: readonly Issue[];
}

/** What a source may declare that a profile would prove. */
export type ProfileSource = Pick<
  SourceConfig,
  'dateOrder' | 'datePatterns' | 'twoDigitYears' | 'languages' | 'zoneNames' | 'scale' | 'decimalMark'
>;

/** The profile of a drop that needs none. */
export const NO_PROFILE: Profile = { dateOrders: {}, scales: {}, isWhole: true, issues: [] };

/** True when a pass over the whole drop could tell something that the source doesn't declare. */
export function needsProfile(header: FoundHeader, operation: Operation, source: ProfileSource): boolean {
  return columnsToProfile(header, operation, source).length > 0;
}

/**
 * The profile that a drop's first rows settle, so that nearly every drop is read once instead of twice; null where
 * they show that the whole drop must be profiled: a date whose order is open, or a score between 0 and 1 and none
 * above. Nothing is assumed of the rows that follow. One that asks for more comes out of the row normaliser as
 * `undecided`, and then the drop must be profiled by `profileDrop` and normalised again from its beginning; with
 * that profile no row is undecided. Where none comes, no row would be read otherwise with a profile of the whole.
 */
export function profileSample(
  sample: readonly Row[],
  header: FoundHeader,
  operation: Operation,
  source: ProfileSource,
): Profile | null {
  const columns = columnsToProfile(header, operation, source);
  if (columns.length === 0) return NO_PROFILE;
  for (const row of sample) addRow(row, header, columns);
  return columns.some((column) => column.asksForAll()) ? null : { ...profileOf(columns), isWhole: false };
}

/**
 * Reads all rows once for what only the whole column can prove. The order of day and month in numeric dates is
 * proven when some date is possible in it alone and none in the other alone; a column that holds both is an issue of
 * the drop. The scale of plain scores: `createScaleEvidence`. Keeps a line of evidence, however long the drop is.
 */
export async function profileDrop(
  rows: AsyncIterable<readonly Row[]>,
  header: FoundHeader,
  operation: Operation,
  source: ProfileSource,
): Promise<Profile> {
  const columns = columnsToProfile(header, operation, source);
  if (columns.length === 0) return NO_PROFILE;
  for await (const batch of rows) {
    for (const row of batch) addRow(row, header, columns);
  }
  return profileOf(columns);
}

/** Collects what the dates of one column prove. */
export interface OrderEvidence {
  add(cell: unknown, line: number): void;
  /** null: nothing proves an order, or both are proven. */
  order(): DateOrder | null;
  /** True when some date is numeric, so that it is read by the order. */
  isAsked(): boolean;
  /** The first date for each order. */
  readonly found: { readonly [order in 'day-first' | 'month-first']?: { line: number; text: string } };
}

/** Evidence before any cell. */
export function createOrderEvidence(rules: DateRules = USUAL_DATES): OrderEvidence {
  const found: { [order in 'day-first' | 'month-first']?: { line: number; text: string } } = {};
  let isAsked = false;
  return {
    found,
    add: (cell, line) => {
      if (typeof cell !== 'string' || !NUMERIC_DATE.test(cell)) return;
      const parsed = parseDateText(cell, rules);
      if ('problem' in parsed || !('first' in parsed.date)) return;
      isAsked = true;
      const order = orderProvenBy(parsed.date);
      if (order !== null) found[order] ??= { line, text: cell };
    },
    order: () => {
      if (found['day-first'] && found['month-first']) return null;
      if (found['day-first']) return 'day-first';
      return found['month-first'] ? 'month-first' : null;
    },
    isAsked: () => isAsked,
  };
}

/** Spares ISO dates and empty cells the parser: only a date with its year last can prove anything. */
const NUMERIC_DATE = /(?<!\d)\d{1,2}\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{2}/;

/** A column whose cells are read by something that the source doesn't declare. */
interface ProfiledColumn {
  readonly field: string;
  readonly index: number;
  add(cell: Cell | undefined, line: number): void;
  /** True when what was added needs the whole column to be read. */
  asksForAll(): boolean;
  /** What the column says about the drop. */
  result(): Pick<Profile, 'issues'> & {
    readonly dateOrder?: DateOrder | null;
    readonly scale?: ProvenScale | null;
  };
}

function columnsToProfile(
  header: FoundHeader,
  operation: Operation,
  source: ProfileSource,
): readonly ProfiledColumn[] {
  const rules = dateRules(source);
  return operation.fields.flatMap(({ name, kind }): ProfiledColumn[] => {
    const column = header.match.mapped[name];
    if (column === undefined) return [];
    const place = { field: name, index: column.index };
    if (kind === 'timestamp' && source.dateOrder === undefined && source.datePatterns.length === 0) {
      const evidence = createOrderEvidence(rules);
      return [
        {
          ...place,
          add: evidence.add,
          asksForAll: evidence.isAsked,
          result: () => ({
            dateOrder: evidence.order(),
            issues: contradiction(column.header, evidence),
          }),
        },
      ];
    }
    if (kind === 'score' && source.scale === undefined) {
      const evidence = createScaleEvidence(source.decimalMark ?? null);
      return [
        {
          ...place,
          add: evidence.add,
          // A scale of 100 is proven by one row, wherever it stands.
          asksForAll: () => evidence.isAsked() && evidence.scale()?.scale !== '0-100',
          result: () => ({ scale: evidence.scale(), issues: [] }),
        },
      ];
    }
    return [];
  });
}

function addRow(row: Row, header: FoundHeader, columns: readonly ProfiledColumn[]): void {
  if (row.line <= header.line) return;
  for (const column of columns) column.add(row.cells[column.index], row.line);
}

function profileOf(columns: readonly ProfiledColumn[]): Profile {
  const results = columns.map((column) => ({ field: column.field, ...column.result() }));
  const only = <T>(pick: (result: (typeof results)[number]) => T | undefined): Record<string, T> =>
    Object.fromEntries(
      results.flatMap((result) => {
        const value = pick(result);
        return value === undefined ? [] : [[result.field, value]];
      }),
    );
  return {
    dateOrders: only(({ dateOrder }) => dateOrder),
    scales: only(({ scale }) => scale),
    isWhole: true,
    issues: results.flatMap(({ issues }) => issues),
  };
}

function contradiction(column: string, evidence: OrderEvidence): readonly Issue[] {
  const dayFirst = evidence.found['day-first'];
  const monthFirst = evidence.found['month-first'];
  if (!dayFirst || !monthFirst) return [];
  return [
    {
      code: 'date-order-unknown',
      column,
      value: null,
      message: `${column} has the day first in line ${dayFirst.line} ("${shown(dayFirst.text)}") and the month first in line ${monthFirst.line} ("${shown(monthFirst.text)}")`,
      remedy:
        'have the file exported with one order; or set dateOrder for the source in registrar.yaml, which refuses the rows of the other order',
    },
  ];
}
