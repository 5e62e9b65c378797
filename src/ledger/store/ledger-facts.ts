import { type RawBuilder, sql } from 'kysely';
import { engineVersion } from './dialect.js';
import { all, first, type Ledger } from './query.js';

/** Facts that identify a ledger, for reports. None is secret. */
export type LedgerFacts = Awaited<ReturnType<typeof ledgerFacts>>;

/** Reads these facts. The table of migrations isn't among `Tables`, hence plain SQL. */
export async function ledgerFacts(ledger: Ledger) {
  const ledgerRow = await ledger.db.selectFrom('ledger').select('created_at as createdAt').executeTakeFirst();
  const { sqlite } = await ledgerVersions(ledger);
  const migrations = await all(
    ledger,
    sql<{ readonly name: string; readonly sha256: string; readonly appliedAt: string }>`
      select name, sha256, applied_at as "appliedAt" from schema_migration order by name`,
  );
  return { createdAt: ledgerRow?.createdAt ?? '', sqlite, migrations };
}

/** `sqlite`: the version of the SQLite library, or of PostgreSQL; `schema`: the newest applied migration. */
export async function ledgerVersions(ledger: Ledger) {
  const versions = sql<{ readonly sqlite: string; readonly schema: string }>`
    select ${engineVersion} as sqlite, (select max(name) from schema_migration) as schema`;
  return (await first(ledger, versions)) ?? { sqlite: '', schema: '' };
}

export type LedgerTotals = Awaited<ReturnType<typeof ledgerTotals>>;

/** `rows`: those read from published drops. Times are ISO; null: there are none yet. */
export async function ledgerTotals(ledger: Ledger) {
  const count = (table: RawBuilder<unknown>) => sql<number>`(select count(*) from ${table})`;
  return ledger.db
    .selectFrom('ledger')
    .select([
      count(sql`drop_file`).as('drops'),
      sql<number>`(select coalesce(sum(rows_read), 0) from drop_file where state = 'published')`.as('rows'),
      count(sql`submission`).as('submissions'),
      sql<number>`(select count(*) from submission where state = 'accepted')`.as('accepted'),
      count(sql`attempt`).as('attempts'),
      count(sql`response`).as('responses'),
      count(sql`transition`).as('transitions'),
      count(sql`decision`).as('decisions'),
      count(sql`run`).as('runs'),
      sql<string | null>`(select max(started_at) from run)`.as('newestRunAt'),
      // By the number, which is indexed; the wall clock may have been set back.
      sql<string | null>`(select started_at from attempt order by attempt_id desc limit 1)`.as(
        'newestAttemptAt',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** The name of the ledger for people: its path, or that it is a database. */
export function ledgerName({ file }: Pick<Ledger, 'file'>): string {
  return file?.path ?? 'the database of the ledger';
}
