import { sql } from 'kysely';
import { change, type Ledger } from '../../store/query.js';
import { openDatabase } from '../../store/sqlite/driver.js';
import { READ_TABLES, rowWriter } from './read-rows.js';
import type { StagedRow } from './staged-rows.js';

/** The tables of read rows in the session of a database; a transaction leaves nothing in them. */
const TABLES = `
  create temp table if not exists read_row (
    number bigint primary key, line bigint not null, kind text not null, lines bigint not null, cause text,
    submission_id bigint, learner_hash text, learner_type text, learner text, content_hash text, occurred_at text,
    digest text, record text, formers text, cells text, stray_quotes text) on commit delete rows;
  create temp table if not exists read_content (
    hash text primary key, type text not null, identifier_type text, identifier text not null, part text, title text)
    on commit delete rows;
  create temp table if not exists read_issue (
    line bigint not null, ordinal bigint not null, code text not null, column_name text, value text, message text,
    remedy text, primary key (line, ordinal)) on commit delete rows`;

const COPIED = ['read_row', 'read_content', 'read_issue'] as const;

/** Rows in one statement: a few megabytes of text. */
const ROWS_AT_ONCE = 5_000;

/**
 * Runs `work` with rows in the tables of the database's session, where its statements find them as they find those of a file.
 * SQLite itself writes them as JSON, and PostgreSQL itself reads that: no row becomes an object here. To be called in a
 * transaction.
 * @param from the rows, or the path of a file of read rows.
 */
export async function withCopied<T>(
  ledger: Ledger,
  from: Iterable<StagedRow> | string,
  work: () => Promise<T>,
): Promise<T> {
  await change(ledger, sql.raw(TABLES));
  const sqlite = openDatabase(typeof from === 'string' ? from : ':memory:');
  try {
    if (typeof from !== 'string') {
      sqlite.exec(READ_TABLES('main'));
      const write = rowWriter(sqlite, 'main');
      for (const row of from) write(row);
    }
    for (const table of COPIED) {
      const columns = sqlite.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
      const fields = columns.map(({ name }) => `'${name}', ${name}`).join(', ');
      const page = sqlite
        .prepare(
          `select json_group_array(json_object(${fields})) from (select * from ${table} order by 1, 2 limit ? offset ?)`,
        )
        .pluck();
      const rows = sqlite.prepare(`select count(*) from ${table}`).pluck().get() as number;
      for (let start = 0; start < rows; start += ROWS_AT_ONCE) {
        const copied = page.get(ROWS_AT_ONCE, start) as string;
        const into = sql.id('pg_temp', table);
        await change(
          ledger,
          sql`insert into ${into} select * from json_populate_recordset(null::${into}, ${copied}::json)`,
        );
      }
    }
  } finally {
    sqlite.close();
  }
  const result = await work();
  await change(ledger, sql`truncate pg_temp.read_row, pg_temp.read_content, pg_temp.read_issue`);
  return result;
}
