import type { Ledger } from '../../src/ledger/store/query.js';

/** Changes what a disk would, past the triggers and whatever else the schema forbids. @returns how many rows. */
export function hurt(ledger: Ledger, sql: string): number {
  const triggers = ledger.sqlite
    .prepare("select name, sql from sqlite_master where type = 'trigger'")
    .all() as {
    name: string;
    sql: string;
  }[];
  ledger.sqlite.pragma('foreign_keys = off');
  ledger.sqlite.pragma('ignore_check_constraints = on');
  for (const { name } of triggers) ledger.sqlite.exec(`drop trigger ${name}`);
  const before = changesIn(ledger);
  ledger.sqlite.exec(sql);
  const changes = changesIn(ledger) - before;
  ledger.sqlite.pragma('ignore_check_constraints = off');
  for (const trigger of triggers) ledger.sqlite.exec(trigger.sql);
  return changes;
}

function changesIn({ sqlite }: Ledger): number {
  return sqlite.prepare('select total_changes()').pluck().get() as number;
}

/** Writes into the ledger what no verb would: the triggers guard it, and throw what they refuse. */
export function meddle(ledger: Ledger, sql: string): void {
  ledger.sqlite.exec(sql);
}

/** Waits for no disk: for tests in which no power is cut. */
export function withoutSyncs(ledger: Ledger): void {
  ledger.sqlite.pragma('synchronous = off');
}
