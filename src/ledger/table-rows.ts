import { sql } from 'kysely';
import type { Row } from '../domain/row.js';
import { isFurtherSheet } from './file-named.js';
import { all, type Ledger, query } from './query.js';
import { keptRows } from './row-blocks.js';

/** The rows of a table as they are kept: what whole columns prove is asked of them. Personal. */
export interface TableRows {
  /** Rows up to here are its header and what stands above. */
  readonly headerLine: number;
  /** In order, each time from the first one on. */
  rows(): Iterable<Row>;
}

/**
 * The rows of the table that a published drop is of: of all sheets, where it goes on from one to the next and each is a
 * drop of its own.
 */
export function tableRows(
  ledger: Ledger,
  { dropId, headerLine }: { readonly dropId: number; readonly headerLine: number },
): TableRows {
  const sheets = all(
    ledger,
    query
      .selectFrom('drop as d')
      .innerJoin('drop as o', (join) =>
        join.onRef('o.source', '=', 'd.source').onRef('o.sha256', '=', 'd.sha256'),
      )
      .select(['d.drop_id as dropId', 'd.header_line as headerLine', sql<string>`d.part`.as('part')])
      .where('o.drop_id', '=', dropId)
      .where('d.state', '=', 'published')
      .where(sql<boolean>`(d.part = '' or ${isFurtherSheet})`)
      // The first sheet may have been taken in before, or after the others.
      .orderBy(sql`d.part <> ''`)
      .orderBy('d.drop_id'),
  );
  const isOneOf = sheets.some((sheet) => sheet.dropId === dropId);
  if (!isOneOf || sheets.length === 1) return { headerLine, rows: () => keptRows(ledger, dropId) };
  return {
    headerLine: 0,
    *rows() {
      for (const sheet of sheets) {
        for (const row of keptRows(ledger, sheet.dropId)) if (row.line > (sheet.headerLine ?? 0)) yield row;
      }
    },
  };
}
