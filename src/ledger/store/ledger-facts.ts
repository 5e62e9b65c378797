import { sql } from 'kysely';
import { engineVersion } from './dialect.js';
import { all, first, type Ledger } from './query.js';

/** Facts that identify a ledger, for people who must know which one an answer came from. None is a secret. */
export type LedgerFacts = Awaited<ReturnType<typeof ledgerFacts>>;

/** Reads these facts. The table of migrations is not among the ledger's tables, hence plain SQL. */
export async function ledgerFacts(ledger: Ledger) {
  const made = await ledger.db.selectFrom('ledger').select('created_at as createdAt').executeTakeFirst();
  const { sqlite } = await ledgerVersions(ledger);
  const migrations = await all(
    ledger,
    sql<{ readonly name: string; readonly sha256: string; readonly appliedAt: string }>`
      select name, sha256, applied_at as "appliedAt" from schema_migration order by name`,
  );
  return { createdAt: made?.createdAt ?? '', sqlite, migrations };
}

/** The versions of the ledger's library and schema. */
export interface LedgerVersions {
  /** Version of the SQLite library, or `PostgreSQL` with the version of its server. */
  readonly sqlite: string;
  /** Name of the newest migration applied. */
  readonly schema: string;
}

/** The present versions of an open ledger. */
export async function ledgerVersions(ledger: Ledger): Promise<LedgerVersions> {
  const versions = sql<LedgerVersions>`
    select ${engineVersion} as sqlite, (select max(name) from schema_migration) as schema`;
  return (await first(ledger, versions)) ?? { sqlite: '', schema: '' };
}
