import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { grouped } from '../../domain/grouped.js';
import { tableColumns } from './dialect.js';
import { PAGE_ROWS } from './pages.js';
import { all, change, type Ledger, prepared } from './query.js';

/** The rows of a table in the order of its primary key, which is the same on every engine, a page at a time. */
export async function* tablePages(
  ledger: Ledger,
  { table, columns, key }: CopiedTable,
): AsyncGenerator<readonly CopiedRow[]> {
  const listed = sql.join(columns.map((column) => sql.ref(column)));
  const place = sql.join(key.map((column) => sql.ref(column)));
  for (let last: CopiedRow | undefined; ; ) {
    const after: CopiedRow | undefined = last;
    const behind =
      after === undefined ? sql`` : sql`where (${place}) > (${sql.join(key.map((name) => after[name]))})`;
    const page: CopiedRow[] = await all(
      ledger,
      sql<CopiedRow>`select ${listed} from ${sql.table(table)} ${behind} order by ${place} limit ${sql.lit(PAGE_ROWS)}`,
    );
    if (page.length > 0) yield page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1);
  }
}

/** How many rows a table has, and what is in them. */
export interface TableProof {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of all values of all rows in the order of the primary key, in lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** Takes in the pages of a table, and gives their proof at the end. */
export function tableProof({ table, columns, bytes }: CopiedTable) {
  const sha256 = createHash('sha256');
  let rows = 0;
  return {
    add(page: readonly CopiedRow[]) {
      rows += page.length;
      const plain = plainRows(page, bytes);
      sha256.update(plain.map((row) => `${JSON.stringify(columns.map((name) => row[name]))}\n`).join(''));
    },
    end: (): TableProof => ({ table, rows, sha256: sha256.digest('hex') }),
  };
}

/** The rows with bytes as the text by which PostgreSQL knows them. */
function plainRows(rows: readonly CopiedRow[], bytes: readonly string[]): readonly CopiedRow[] {
  if (bytes.length === 0) return rows;
  const hex = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  return rows.map((row) => ({ ...row, ...Object.fromEntries(bytes.map((name) => [name, hex(row[name])])) }));
}

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

/** A table that is copied from one ledger to another, which have the same tables whatever their engines. */
export type CopiedTable = Awaited<ReturnType<typeof copiedTables>>[number];

/** A row as the ledger answers it. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/**
 * What stays behind, because it is about processes and people of the other ledger: the record of migrations, which the copy has of
 * its own; the services, none of which serves the copy; the sessions of the console, in which nobody has signed in to the copy.
 */
const LEFT_BEHIND: readonly string[] = ['schema_migration', 'service', 'session'];

/**
 * The tables to copy between two ledgers, by name. They are those of the migrations, as the engines themselves list them. `columns` are
 * those that the engines have in common (a database has the name of its workspace as well, from who opens it), `bytes` the ones of
 * them that hold bytes, `key` those of the primary key, in its order.
 */
export async function copiedTables(from: Ledger, to: Ledger) {
  const theirs = grouped(await all(from, tableColumns), ({ table }) => table);
  const own = grouped(await all(to, tableColumns), ({ table }) => table);
  return [...own].flatMap(([table, columns]) => {
    if (LEFT_BEHIND.includes(table) || !theirs.has(table)) return [];
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

/** Names no boot, so that times with it count as those of another machine's. */
const ELSEWHERE = 'another database';

/** The boot that all times of a database have. */
const OF_DATABASES = 'database';

/**
 * A row as the copy has it.
 *
 * Leases stay free: nobody works on the copy, and its fences go on from those numbers. Times of the clock by which the other ledger
 * goes mean nothing here. Those of a machine name its boot, which tells them apart already; those of a database would pass for
 * this database's, so they get a boot that is nobody's. Permits of another boot count in full from the first request on, so the
 * quota holds whatever was sent within the last minute, and a notification that was claimed is due again.
 */
export function carried(table: string, row: CopiedRow): CopiedRow {
  if (table === 'lease') return { ...row, owner: null, heartbeat_mono_ms: null, expires_mono_ms: null };
  if (row.boot === OF_DATABASES) return { ...row, boot: ELSEWHERE };
  return row.claimed_boot === OF_DATABASES ? { ...row, claimed_boot: ELSEWHERE } : row;
}
