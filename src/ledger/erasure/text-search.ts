import { sql } from 'kysely';
import type { Ledger } from '../store/query.js';

/** A text that the ledger keeps, with the column it stands in: `decision.because`. Personal. */
export interface KeptText {
  readonly place: string;
  readonly text: string;
}

/** Every text in any column of any table that contains these characters, whatever their case (of ASCII letters). */
export async function* textsWith({ db }: Ledger, needle: string): AsyncGenerator<KeptText> {
  const columns = await sql<{ tableName: string; columnName: string }>`
    select m.name as "tableName", c.name as "columnName" from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and c.type = 'TEXT' order by m.name, c.cid`.execute(db);
  for (const { tableName, columnName } of columns.rows) {
    const column = sql.ref(columnName);
    const found = await sql<{ text: string }>`select ${column} as text from ${sql.table(tableName)}
      where instr(lower(${column}), lower(${needle})) > 0`.execute(db);
    for (const { text } of found.rows) yield { place: `${tableName}.${columnName}`, text };
  }
}
