import { sql } from 'kysely';
import { all, type Ledger } from '../store/query.js';

/** A text that the ledger keeps, with the column it stands in: `decision.because`. Personal. */
export interface KeptText {
  readonly place: string;
  readonly text: string;
}

/** Every text in any column of any table that contains these characters, whatever their case (of ASCII letters). */
export async function* textsWith(ledger: Ledger, needle: string): AsyncGenerator<KeptText> {
  const columns = sql<{ tableName: string; columnName: string }>`
    select m.name as "tableName", c.name as "columnName" from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and c.type = 'TEXT' order by m.name, c.cid`;
  for (const { tableName, columnName } of await all(ledger, columns)) {
    const column = sql.ref(columnName);
    const found = sql<{ text: string }>`select ${column} as text from ${sql.table(tableName)}
      where instr(lower(${column}), lower(${needle})) > 0`;
    for (const { text } of await all(ledger, found)) yield { place: `${tableName}.${columnName}`, text };
  }
}
