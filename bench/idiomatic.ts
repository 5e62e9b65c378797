import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { parse } from 'csv-parse';
import { Kysely, type QueryCreator, SqliteDialect, sql } from 'kysely';
import { DateTime } from 'luxon';

/**
 * A pipeline that one would write in an afternoon with good libraries: csv-parse to objects, luxon for the time, a hash for
 * the key, Kysely for inserts of 100 rows at a time that skip known keys. Each insert is a transaction of its own, which is
 * the default; with `one` as the third argument all are one transaction, which is the fastest variant. It keeps no raw
 * rows, no issues and no lineage. Arguments: the file, the database, `one` or nothing.
 */
const BATCH_ROWS = 100;

interface Tables {
  completion: { key: string; email: string; course: string; completed_at: string; score: number };
}

const [file = '', database = '', transactions = ''] = process.argv.slice(2);
const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new BetterSqlite3(database) }) });
await sql`pragma journal_mode = wal`.execute(db);
await sql`pragma synchronous = full`.execute(db);
await sql`create table completion (key text primary key, email text, course text, completed_at text, score real)`.execute(
  db,
);
if (transactions === 'one') await db.transaction().execute(load);
else await load(db);
await db.destroy();

async function load(into: QueryCreator<Tables>): Promise<void> {
  let batch: Tables['completion'][] = [];
  const insert = async () => {
    await into
      .insertInto('completion')
      .values(batch)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    batch = [];
  };
  for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
    if (row.Status !== 'Completed') continue;
    const email = row.Email.trim().toLowerCase();
    const time = DateTime.fromSQL(row['Completed on'], { zone: 'Europe/Berlin' });
    if (!time.isValid || !email.includes('@')) continue;
    const completed_at = time.toUTC().toISO();
    const key = createHash('sha256').update(`${email}|${row['Course ID']}|${completed_at}`).digest('hex');
    batch.push({ key, email, course: row['Course ID'], completed_at, score: Number(row.Score) });
    if (batch.length === BATCH_ROWS) await insert();
  }
  if (batch.length > 0) await insert();
}
