import { type RawBuilder, sql } from 'kysely';
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

/**
 * The present versions of an open ledger. `sqlite`: of the SQLite library, or `PostgreSQL` with the version of its server; `schema`:
 * the name of the newest migration applied.
 */
export async function ledgerVersions(ledger: Ledger) {
  const versions = sql<{ readonly sqlite: string; readonly schema: string }>`
    select ${engineVersion} as sqlite, (select max(name) from schema_migration) as schema`;
  return (await first(ledger, versions)) ?? { sqlite: '', schema: '' };
}

/** How much a ledger holds, and how far it has come. */
export type LedgerTotals = Awaited<ReturnType<typeof ledgerTotals>>;

/** Tables that rows are only ever added to. */
export const GROWING = ['attempts', 'responses', 'transitions', 'decisions', 'runs', 'drops'] as const;

/**
 * Counts what the ledger holds, at one moment; `rows`: those read from published drops. Times are ISO, of its first run and its latest
 * entries; null before the first.
 */
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
      sql<string | null>`(select started_at from run order by run_id limit 1)`.as('firstRunAt'),
      sql<string | null>`(select max(started_at) from run)`.as('newestRunAt'),
      // By its number, which an index finds: the wall clock may have been set back.
      sql<string | null>`(select started_at from attempt order by attempt_id desc limit 1)`.as(
        'newestAttemptAt',
      ),
    ])
    .executeTakeFirstOrThrow();
}

/** What people know the ledger by: its path, or that it is a database. */
export function ledgerName({ file }: Pick<Ledger, 'file'>): string {
  return file?.path ?? 'the database of the ledger';
}
