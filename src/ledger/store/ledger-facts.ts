import { type Ledger, prepared } from './query.js';

/** Facts that identify a ledger, for people who must know which one an answer came from. None is a secret. */
export interface LedgerFacts {
  readonly createdAt: string;
  /** Version of SQLite that read it. */
  readonly sqlite: string;
  readonly migrations: readonly {
    readonly name: string;
    readonly sha256: string;
    readonly appliedAt: string;
  }[];
}

/** Reads these facts. The table of migrations is SQLite's side of the ledger and not among its tables, hence plain SQL. */
export function ledgerFacts(ledger: Ledger): LedgerFacts {
  const { createdAt, sqlite } = prepared(
    ledger,
    'select created_at as createdAt, sqlite_version() as sqlite from ledger',
  ).get() as { createdAt: string; sqlite: string };
  const migrations = prepared(
    ledger,
    'select name, sha256, applied_at as appliedAt from schema_migration order by name',
  ).all() as LedgerFacts['migrations'];
  return { createdAt, sqlite, migrations };
}

/** The versions of the ledger's library and schema. */
export interface LedgerVersions {
  /** Version of the SQLite library. */
  readonly sqlite: string;
  /** Name of the newest migration applied. */
  readonly schema: string;
}

/** The present versions of an open ledger. */
export function ledgerVersions(ledger: Ledger): LedgerVersions {
  const { sqlite, schema } = ledger.file.sqlite
    .prepare('select sqlite_version() as sqlite, (select max(name) from schema_migration) as schema')
    .get() as LedgerVersions;
  return { sqlite, schema };
}
