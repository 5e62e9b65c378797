import { sql } from 'kysely';
import { mapSeries } from '../../../domain/process/series.js';
import { all, change, type Ledger } from '../query.js';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Runs `work`, which fills the empty tables of a database in any order, without foreign keys. Afterwards, recreates
 * the foreign keys, so that PostgreSQL checks all rows at once, and sets each table's sequence behind the written
 * numbers. Call it in a transaction. For a file, only runs `work`.
 */
export async function withoutForeignKeys<T>(ledger: Ledger, work: () => Promise<T>): Promise<T> {
  if (ledger.file !== null) return work();
  const keys = await all(
    ledger,
    sql<ForeignKey>`select conrelid::regclass::text as "table", quote_ident(conname) as name,
      pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace order by 1, 2`,
  );
  const altered = (table: string, how: string) => change(ledger, sql.raw(`alter table ${table} ${how}`));
  await mapSeries(keys, ({ table, name }) => altered(table, `drop constraint ${name}`));
  const result = await work();
  await mapSeries(keys, ({ table, name, definition }) =>
    altered(table, `add constraint ${name} ${definition}`),
  );
  await numberOn(ledger);
  return result;
}

async function numberOn(ledger: Ledger): Promise<void> {
  const numbered = await all(
    ledger,
    sql<{ readonly table: string; readonly column: string }>`
      select attrelid::regclass::text as "table", quote_ident(attname) as "column" from pg_attribute
      join pg_class t on t.oid = attrelid
      where attidentity <> '' and t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace`,
  );
  await mapSeries(numbered, ({ table, column }) =>
    all(
      ledger,
      sql.raw(`select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table}
        having max(${column}) > 0`),
    ),
  );
}
