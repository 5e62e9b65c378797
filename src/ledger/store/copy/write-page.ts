import { sql } from 'kysely';
import { change, type Ledger, prepared } from '../query.js';
import type { CopiedRow, CopiedTable } from './copied-tables.js';
import { plainRows } from './table-pages.js';

/**
 * Writes rows into a table of an empty ledger. What the migrations have written stays, and what a new ledger knows of itself, its
 * salt, gives way. PostgreSQL itself reads the rows from JSON, as it does when rows are staged.
 */
export async function writePage(
  ledger: Ledger,
  { table, columns, bytes }: CopiedTable,
  page: readonly CopiedRow[],
): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const taken =
    table === 'ledger'
      ? `(ledger_id) do update set ${columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
      : 'do nothing';
  const into = `insert into "${table}" (${names})`;
  if (ledger.file !== null) {
    const text = `${into} values (${columns.map(() => '?').join(', ')}) on conflict ${taken}`;
    const insert = prepared(ledger, text);
    for (const row of page) insert.run(...columns.map((name) => row[name]));
    return;
  }
  await change(
    ledger,
    sql`${sql.raw(into)} select ${sql.raw(names)}
      from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(plainRows(page, bytes))}::json)
      on conflict ${sql.raw(taken)}`,
  );
}
