import type { SourceConfig } from '../config/schema.js';
import type { Issue } from '../domain/issue.js';
import type { Row } from '../domain/row.js';
import type { Operation } from '../operations/operation.js';
import { type DateOrder, orderProvenBy } from './date-order.js';
import type { FoundHeader } from './find-header.js';
import { parseDateText } from './parse-date-text.js';
import { shown } from './reading.js';

/** What only a whole column can tell. */
export interface Profile {
  /** By timestamp field: the order that its column proves, null where nothing in it proves one. */
  readonly dateOrders: Readonly<Record<string, DateOrder | null>>;
  /** Why the drop as a whole cannot be understood; empty when it can. */
  readonly issues: readonly Issue[];
}

/** The profile of a drop that needs none. */
export const NO_PROFILE: Profile = { dateOrders: {}, issues: [] };

/** True when a pass over the whole drop could tell something that the source doesn't declare. */
export function needsProfile(
  header: FoundHeader,
  operation: Operation,
  source: Pick<SourceConfig, 'dateOrder'>,
): boolean {
  return source.dateOrder === undefined && timestampColumns(header, operation).length > 0;
}

/**
 * Reads all rows once for what only the whole column can prove: the order of day and month in numeric dates. An
 * order is proven when some date is possible in it alone and none in the other alone; a column that holds both
 * is an issue of the drop. Keeps one line for each order, however long the drop is.
 */
export async function profileDrop(
  rows: AsyncIterable<readonly Row[]>,
  header: FoundHeader,
  operation: Operation,
  source: Pick<SourceConfig, 'dateOrder'>,
): Promise<Profile> {
  if (!needsProfile(header, operation, source)) return NO_PROFILE;
  const columns = timestampColumns(header, operation);
  for await (const batch of rows) {
    for (const row of batch) {
      if (row.line <= header.line) continue;
      for (const column of columns) column.evidence.add(row.cells[column.index], row.line);
    }
  }
  return {
    dateOrders: Object.fromEntries(columns.map(({ field, evidence }) => [field, evidence.order()])),
    issues: columns.flatMap(({ name, evidence }) => contradiction(name, evidence) ?? []),
  };
}

/** Collects what the dates of one column prove. */
export interface OrderEvidence {
  add(cell: unknown, line: number): void;
  /** null: nothing proves an order, or both are proven. */
  order(): DateOrder | null;
  /** The first date for each order. */
  readonly found: { readonly [order in 'day-first' | 'month-first']?: { line: number; text: string } };
}

/** Evidence before any cell. */
export function createOrderEvidence(): OrderEvidence {
  const found: { [order in 'day-first' | 'month-first']?: { line: number; text: string } } = {};
  return {
    found,
    add: (cell, line) => {
      if (typeof cell !== 'string' || !NUMERIC_DATE.test(cell)) return;
      const parsed = parseDateText(cell);
      if ('problem' in parsed || !('first' in parsed.date)) return;
      const order = orderProvenBy(parsed.date);
      if (order !== null) found[order] ??= { line, text: cell };
    },
    order: () => {
      if (found['day-first'] && found['month-first']) return null;
      if (found['day-first']) return 'day-first';
      return found['month-first'] ? 'month-first' : null;
    },
  };
}

/** Spares ISO dates and empty cells the parser: only a date with its year last can prove anything. */
const NUMERIC_DATE = /\d\s?[-/.]\s?\d{1,2}\s?[-/.]\s?\d{4}/;

interface TimestampColumn {
  readonly field: string;
  readonly index: number;
  readonly name: string;
  readonly evidence: OrderEvidence;
}

function timestampColumns(header: FoundHeader, operation: Operation): readonly TimestampColumn[] {
  return operation.fields.flatMap((field) => {
    const column = header.match.mapped[field.name];
    if (field.kind !== 'timestamp' || !column) return [];
    return [{ field: field.name, index: column.index, name: column.header, evidence: createOrderEvidence() }];
  });
}

function contradiction(column: string, evidence: OrderEvidence): Issue | null {
  const dayFirst = evidence.found['day-first'];
  const monthFirst = evidence.found['month-first'];
  if (!dayFirst || !monthFirst) return null;
  return {
    code: 'date-order-unknown',
    column,
    value: null,
    message: `${column} has the day first in line ${dayFirst.line} ("${shown(dayFirst.text)}") and the month first in line ${monthFirst.line} ("${shown(monthFirst.text)}")`,
    remedy:
      'have the file exported with one order; or set dateOrder for the source in registrar.yaml, which refuses the rows of the other order',
  };
}
