import { sql } from 'kysely';
import { contains, tableColumns } from '../store/dialect.js';
import { all, type Ledger } from '../store/query.js';

/**
 * Every text in any column of any table that contains these characters, whatever their case (of ASCII letters), with the column it
 * stands in: `decision.because`. Personal.
 */
export async function* textsWith(ledger: Ledger, needle: string) {
  for (const { table, column, isText } of await all(ledger, tableColumns)) {
    if (isText === 0) continue;
    const text = sql.ref(column);
    const found = sql<{ text: string }>`select ${text} as text from ${sql.table(table)}
      where ${contains(sql`lower(${text})`, sql`lower(${needle})`)}`;
    for (const { text } of await all(ledger, found)) yield { place: `${table}.${column}`, text };
  }
}
