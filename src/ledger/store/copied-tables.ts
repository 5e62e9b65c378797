import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { grouped } from '../../domain/grouped.js';
import { mapSeries } from '../../domain/process/series.js';
import { tableColumns } from './dialect.js';
import { PAGE_ROWS, pagesAfter } from './pages.js';
import { all, change, type Ledger, prepared } from './query.js';

/** Yields a table's rows in pages, in the order of its primary key, which is the same on every engine. */
export function tablePages(ledger: Ledger, { table, columns, key }: CopiedTable) {
  const listed = sql.join(columns.map((column) => sql.ref(column)));
  const place = sql.join(key.map((column) => sql.ref(column)));
  return pagesAfter((last: CopiedRow | null) => {
    const after =
      last === null ? sql`` : sql`where (${place}) > (${sql.join(key.map((name) => last[name]))})`;
    const page = sql<CopiedRow>`
      select ${listed} from ${sql.table(table)} ${after} order by ${place} limit ${sql.lit(PAGE_ROWS)}`;
    return all(ledger, page);
  });
}

export async function proofOf(
  { table, columns, bytes }: CopiedTable,
  pages: AsyncIterable<readonly CopiedRow[]>,
) {
  const sha256 = createHash('sha256');
  let rows = 0;
  for await (const page of pages) {
    rows += page.length;
    const encoded = plainRows(page, bytes);
    sha256.update(encoded.map((row) => `${JSON.stringify(columns.map((name) => row[name]))}\n`).join(''));
  }
  /** SHA-256 of all values of all rows in the order of the primary key, in lower-case hexadecimal digits. */
  return { table, rows, sha256: sha256.digest('hex') };
}

/** The rows, with bytes in PostgreSQL's text form. */
function plainRows(rows: readonly CopiedRow[], bytes: readonly string[]): readonly CopiedRow[] {
  if (bytes.length === 0) return rows;
  const hex = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  return rows.map((row) => ({ ...row, ...Object.fromEntries(bytes.map((name) => [name, hex(row[name])])) }));
}

/**
 * Writes rows into a table of an empty ledger. Rows written by the migrations are kept; the new ledger's own row,
 * with its salt, is replaced. PostgreSQL reads the rows from JSON, as in staging.
 */
export async function writePage(
  ledger: Ledger,
  { table, columns, bytes }: CopiedTable,
  page: readonly CopiedRow[],
): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const onConflict =
    table === 'ledger'
      ? `(ledger_id) do update set ${columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
      : 'do nothing';
  const into = `insert into "${table}" (${names})`;
  if (ledger.file !== null) {
    const text = `${into} values (${columns.map(() => '?').join(', ')}) on conflict ${onConflict}`;
    const insert = prepared(ledger, text);
    for (const row of page) insert.run(...columns.map((name) => row[name]));
    return;
  }
  await change(
    ledger,
    sql`${sql.raw(into)} select ${sql.raw(names)}
      from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(plainRows(page, bytes))}::json)
      on conflict ${sql.raw(onConflict)}`,
  );
}

/** A table to copy. Ledgers have the same tables on all engines. */
export type CopiedTable = Awaited<ReturnType<typeof copiedTables>>[number];

export type CopiedRow = Readonly<Record<string, unknown>>;

/** Tables of the other ledger alone: its migrations, its services, and the sessions of its users. */
const NOT_COPIED: readonly string[] = ['schema_migration', 'service', 'session'];

/**
 * The tables to copy between two ledgers, in the order of their names. `columns`: those that both have (a database also has
 * the name of its workspace); `bytes`: the columns with bytes; `key`: the columns of the primary key, in its order.
 */
export async function copiedTables(from: Ledger, to: Ledger) {
  const theirs = grouped(await all(from, tableColumns), ({ table }) => table);
  const own = grouped(await all(to, tableColumns), ({ table }) => table);
  return [...own].flatMap(([table, columns]) => {
    if (NOT_COPIED.includes(table) || !theirs.has(table)) return [];
    const shared = columns.filter(({ column }) => column !== 'workspace');
    const key = shared.filter(({ keyPlace }) => keyPlace > 0).sort((a, b) => a.keyPlace - b.keyPlace);
    return [
      {
        table,
        columns: shared.map(({ column }) => column),
        bytes: shared.filter(({ isBytes }) => isBytes === 1).map(({ column }) => column),
        key: key.map(({ column }) => column),
      },
    ];
  });
}

const ELSEWHERE = 'another database';

/** The boot id of all times of a database. */
const OF_DATABASES = 'database';

/**
 * Converts a row for the copy. Leases are free; their fences continue from the same numbers. Times of the other ledger's
 * clock have no meaning: those of a machine have its boot id, those of a database get an unused one. Permits of another
 * boot count in full, so that the quota also covers the last minute, and a claimed notification is due again.
 */
export function convertedRow(table: string, row: CopiedRow): CopiedRow {
  if (table === 'lease') return { ...row, owner: null, heartbeat_mono_ms: null, expires_mono_ms: null };
  if (row.boot === OF_DATABASES) return { ...row, boot: ELSEWHERE };
  return row.claimed_boot === OF_DATABASES ? { ...row, claimed_boot: ELSEWHERE } : row;
}

/**
 * Runs `work`, which fills the empty tables of a database in any order, without foreign keys. Afterwards, recreates
 * the foreign keys, so that PostgreSQL checks all rows at once, and sets each table's sequence after the written
 * numbers. Call it in a transaction. For a file, only runs `work`.
 */
export async function withoutForeignKeys<T>(ledger: Ledger, work: () => Promise<T>): Promise<T> {
  if (ledger.file !== null) return work();
  const keys = await all(
    ledger,
    sql<
      Record<'table' | 'name' | 'definition', string>
    >`select conrelid::regclass::text as "table", quote_ident(conname) as name,
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
