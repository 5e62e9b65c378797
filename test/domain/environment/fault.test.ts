import { expect, it } from 'vitest';
import { FAULT_CODES, FAULT_HOSTS } from '../../../src/domain/environment/fault.js';
import { testLedger } from '../../support/staged-ledger.js';

it.each([
  ['code', FAULT_CODES],
  ['host', FAULT_HOSTS],
])("the ledger's CHECK lists each %s of a fault", (column, words) => {
  const [{ sql } = { sql: '' }] = testLedger()
    .file.sqlite.prepare("select sql from sqlite_schema where name = 'outage_run'")
    .all() as { sql: string }[];
  const check = new RegExp(`check \\(${column} in \\(([^)]*)\\)`).exec(sql)?.[1] ?? '';
  expect([...check.matchAll(/'([^']+)'/g)].map(([, word]) => word)).toEqual([...words]);
});
