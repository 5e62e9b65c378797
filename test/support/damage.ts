import { fileOf, type Ledger } from '../../src/ledger/store/query.js';

/** Changes content as a faulty disk would, bypassing triggers and constraints. @returns how many rows. */
export function damageLedger(ledger: Ledger, sql: string): number {
  const triggers = fileOf(ledger)
    .sqlite.prepare("select name, sql from sqlite_master where type = 'trigger'")
    .all() as {
    name: string;
    sql: string;
  }[];
  fileOf(ledger).sqlite.pragma('foreign_keys = off');
  fileOf(ledger).sqlite.pragma('ignore_check_constraints = on');
  for (const { name } of triggers) fileOf(ledger).sqlite.exec(`drop trigger ${name}`);
  const before = changesIn(ledger);
  fileOf(ledger).sqlite.exec(sql);
  const changes = changesIn(ledger) - before;
  fileOf(ledger).sqlite.pragma('ignore_check_constraints = off');
  for (const trigger of triggers) fileOf(ledger).sqlite.exec(trigger.sql);
  return changes;
}

function changesIn(ledger: Ledger): number {
  return fileOf(ledger).sqlite.prepare('select total_changes()').pluck().get() as number;
}

/** Writes what no verb would. Triggers still apply, and throw on what they refuse. */
export function writeDirectly(ledger: Ledger, sql: string): void {
  fileOf(ledger).sqlite.exec(sql);
}

/** Turns off syncing to disk: for tests without power cuts. */
export function withoutSyncs(ledger: Ledger): void {
  fileOf(ledger).sqlite.pragma('synchronous = off');
}
