import type { Ledger } from '../../src/ledger/query.js';

/** Changes what a disk would, past the triggers. */
export function hurt(ledger: Ledger, sql: string): void {
  const triggers = ledger.sqlite
    .prepare("select name, sql from sqlite_master where type = 'trigger'")
    .all() as {
    name: string;
    sql: string;
  }[];
  ledger.sqlite.pragma('foreign_keys = off');
  for (const { name } of triggers) ledger.sqlite.exec(`drop trigger ${name}`);
  ledger.sqlite.exec(sql);
  for (const trigger of triggers) ledger.sqlite.exec(trigger.sql);
}
