import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { PAGE_ROWS } from '../pages.js';
import { all, type Ledger } from '../query.js';
import type { CopiedRow, CopiedTable } from './copied-tables.js';

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
export function tableProof({ table, columns, bytes }: CopiedTable): {
  add(page: readonly CopiedRow[]): void;
  end(): TableProof;
} {
  const sha256 = createHash('sha256');
  let rows = 0;
  return {
    add(page) {
      rows += page.length;
      const plain = plainRows(page, bytes);
      sha256.update(plain.map((row) => `${JSON.stringify(columns.map((name) => row[name]))}\n`).join(''));
    },
    end: () => ({ table, rows, sha256: sha256.digest('hex') }),
  };
}

/** The rows with bytes as the text by which PostgreSQL knows them. */
export function plainRows(rows: readonly CopiedRow[], bytes: readonly string[]): readonly CopiedRow[] {
  if (bytes.length === 0) return rows;
  const hex = (value: unknown) =>
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  return rows.map((row) => ({ ...row, ...Object.fromEntries(bytes.map((name) => [name, hex(row[name])])) }));
}
