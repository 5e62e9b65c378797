import type { Ledger } from '../../src/ledger/store/query.js';

/** Changes what a disk would, past the triggers and whatever else the schema forbids. @returns how many rows. */
export function hurt(ledger: Ledger, sql: string): number {
  const triggers = ledger.file.sqlite
    .prepare("select name, sql from sqlite_master where type = 'trigger'")
    .all() as {
    name: string;
    sql: string;
  }[];
  ledger.file.sqlite.pragma('foreign_keys = off');
  ledger.file.sqlite.pragma('ignore_check_constraints = on');
  for (const { name } of triggers) ledger.file.sqlite.exec(`drop trigger ${name}`);
  const before = changesIn(ledger);
  ledger.file.sqlite.exec(sql);
  const changes = changesIn(ledger) - before;
  ledger.file.sqlite.pragma('ignore_check_constraints = off');
  for (const trigger of triggers) ledger.file.sqlite.exec(trigger.sql);
  return changes;
}

function changesIn({ file: { sqlite } }: Ledger): number {
  return sqlite.prepare('select total_changes()').pluck().get() as number;
}

/** Writes into the ledger what no verb would: the triggers guard it, and throw what they refuse. */
export function meddle(ledger: Ledger, sql: string): void {
  ledger.file.sqlite.exec(sql);
}

/** Waits for no disk: for tests in which no power is cut. */
export function withoutSyncs(ledger: Ledger): void {
  ledger.file.sqlite.pragma('synchronous = off');
}
