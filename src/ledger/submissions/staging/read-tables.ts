import { sql } from 'kysely';
import { type Ledger, writing } from '../../store/query.js';
import { READ_TABLES, type ReadSchema, rowWriter } from './read-rows.js';
import type { StagedRow } from './staged-rows.js';

/** The name of a table of read rows, to be written into a query. */
export function readTable(schema: ReadSchema, table: 'read_row' | 'read_content' | 'read_issue') {
  return sql.id(schema, table);
}

/** Runs `work` in a transaction that sees a file of read rows as `reading`. */
export function withReadFile<T>(
  ledger: Ledger,
  path: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const { sqlite } = ledger.file;
  return ledger.db.connection().execute(async (db) => {
    sqlite.prepare('attach ? as reading').run(path);
    try {
      return await writing({ ...ledger, db }, work);
    } finally {
      sqlite.exec('detach reading');
    }
  });
}

/** Runs `work` with rows in the connection's own tables. To be called in a transaction, in which nobody else uses these. */
export async function withReadRows<T>(
  { file: { sqlite } }: Ledger,
  rows: Iterable<StagedRow>,
  work: () => Promise<T>,
): Promise<T> {
  sqlite.exec(READ_TABLES('temp'));
  const write = rowWriter(sqlite, 'temp');
  for (const row of rows) write(row);
  const result = await work();
  // Where the work fails, the transaction takes its rows back.
  sqlite.exec('delete from temp.read_row; delete from temp.read_content; delete from temp.read_issue');
  return result;
}
