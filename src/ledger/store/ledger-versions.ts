import type { Ledger } from './query.js';

/** What the ledger is kept by and in. */
export interface LedgerVersions {
  /** Version of the SQLite library. */
  readonly sqlite: string;
  /** Name of the newest migration applied. */
  readonly schema: string;
}

/** The versions that a ledger is used by now. */
export function ledgerVersions(ledger: Ledger): LedgerVersions {
  const { sqlite, schema } = ledger.sqlite
    .prepare('select sqlite_version() as sqlite, (select max(name) from schema_migration) as schema')
    .get() as LedgerVersions;
  return { sqlite, schema };
}
