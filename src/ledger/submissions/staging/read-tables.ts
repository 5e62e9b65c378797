import { sql } from 'kysely';
import type { IssueCode } from '../../../domain/issue.js';
import { ownTable } from '../../store/dialect.js';
import {
  all,
  change,
  fileOf,
  first,
  type Ledger,
  prepared,
  preparedQuery,
  writing,
} from '../../store/query.js';
import { openDatabase } from '../../store/sqlite/driver.js';
import {
  type PreparedRow,
  READ_TABLES,
  type ReadSchema,
  rowWriter,
  SESSION_TABLES,
  type StagedRow,
} from './read-rows.js';

export type ReadCounts = Awaited<ReturnType<typeof countRead>>;

/**
 * Counts the read rows in one pass, because a batch may have many. `isPlain`: each record is the only one of its row,
 * and no learner has a former identifier; `last`: the number of the last row, 0: there is none; `firstLine` and
 * `lastLine`: where the rows begin and end; `others`: the numbers of other rows and of their lines, by kind and by the issue under which
 * invalid rows count.
 */
export async function countRead(ledger: Ledger, from: ReadSchema) {
  const counted = await first(ledger, ROWS({}, from));
  const { formers = 0, last = 0, firstLine = 0, lastLine = 0 } = counted ?? {};
  const others = counted?.others === 0 ? [] : await all(ledger, OTHERS({}, from));
  const isPlain = formers === 0 && others.every(({ kind }) => kind !== 'further');
  const records = (counted?.rows ?? 0) - (counted?.others ?? 0);
  return { records, isPlain, last, firstLine, lastLine, others };
}

const ROWS = preparedQuery(
  (_, from: ReadSchema) =>
    sql<{ rows: number; formers: number; others: number; last: number; firstLine: number; lastLine: number }>`
      select count(*) as rows, count(formers) as formers, count(nullif(kind, 'record')) as others,
        coalesce(max(number), 0) as last, coalesce(min(line), 0) as "firstLine", coalesce(max(line + lines - 1), 0) as "lastLine"
      from ${ownTable(from, 'read_row')}`,
);

type Kind = Exclude<PreparedRow['kind'], 'record'> | 'further';

const OTHERS = preparedQuery(
  (_, from: ReadSchema) =>
    sql<{ kind: Kind; cause: IssueCode | null; rows: number; lines: number }>`
      select kind, cause, count(*) as rows, sum(lines) as lines
      from ${ownTable(from, 'read_row')} where kind <> 'record' group by kind, cause`,
);

/** Runs `work` in a transaction with a file of read rows as `reading`, in a ledger that is a file. */
export function withReadFile<T>(
  ledger: Ledger,
  path: string,
  work: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const { sqlite } = fileOf(ledger);
  return ledger.db.connection().execute(async (db) => {
    sqlite.prepare('attach ? as reading').run(path);
    try {
      return await writing({ ...ledger, db }, work);
    } finally {
      sqlite.exec('detach reading');
    }
  });
}

/** Runs `work` with rows in the connection's temporary tables. Call it in a transaction: no other flow uses them meanwhile. */
export async function withReadRows<T>(
  ledger: Ledger,
  rows: Iterable<StagedRow>,
  work: () => Promise<T>,
): Promise<T> {
  if (ledger.file === null) {
    await copyReadRows(ledger, rows);
    const result = await work();
    await change(ledger, sql`truncate pg_temp.read_row, pg_temp.read_content, pg_temp.read_issue`);
    return result;
  }
  for (const text of TEMPORARY) prepared(ledger, text).run();
  const write = rowWriter((text) => prepared(ledger, text), 'temp');
  for (const row of rows) write(row);
  const result = await work();
  // If `work` fails, the rollback removes the rows.
  for (const table of COPIED) prepared(ledger, `delete from temp.${table}`).run();
  return result;
}

/** They create the temporary tables. SQLite prepares each again after a rollback that has removed its table. */
const TEMPORARY = READ_TABLES('temp').split(';');

const COPIED = ['read_row', 'read_content', 'read_issue'] as const;

/** Rows per statement: a few megabytes of text. */
const ROWS_AT_ONCE = 5_000;

/**
 * Copies rows into temporary tables of the database's session, which are empty again after the transaction; the
 * statements find them there as they do in a file. SQLite itself formats them as JSON, so that no row becomes an object.
 * Call it in a transaction.
 * @param from the rows, or the path of a file of read rows.
 */
export async function copyReadRows(ledger: Ledger, from: Iterable<StagedRow> | string): Promise<void> {
  await change(ledger, sql.raw(SESSION_TABLES));
  const sqlite = openDatabase(typeof from === 'string' ? from : ':memory:');
  try {
    if (typeof from !== 'string') {
      sqlite.exec(READ_TABLES('main'));
      const write = rowWriter((text) => sqlite.prepare(text), 'main');
      for (const row of from) write(row);
    }
    for (const table of COPIED) {
      const columns = sqlite.pragma(`table_info(${table})`) as readonly { readonly name: string }[];
      const fields = columns.map(({ name }) => `'${name}', ${name}`).join(', ');
      const page = sqlite
        .prepare(
          `select json_group_array(json_object(${fields})) from ${table} where rowid > ? and rowid <= ?`,
        )
        .pluck();
      const target = sql.id('pg_temp', table);
      const last = sqlite.prepare(`select coalesce(max(rowid), 0) from ${table}`).pluck().get() as number;
      for (let start = 0; start < last; start += ROWS_AT_ONCE) {
        const rows = page.get(start, start + ROWS_AT_ONCE) as string;
        await change(
          ledger,
          sql`insert into ${target} select * from json_populate_recordset(null::${target}, ${rows}::json)`,
        );
      }
    }
  } finally {
    sqlite.close();
  }
}
