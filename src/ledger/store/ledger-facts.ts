import { type RawBuilder, sql } from 'kysely';
import { engineVersion } from './dialect.js';
import { first, type Ledger } from './query.js';

/** `sqlite`: the version of the SQLite library, or of PostgreSQL; `schema`: the newest applied migration. */
export async function ledgerVersions(ledger: Ledger) {
  const versions = sql<{ readonly sqlite: string; readonly schema: string }>`
    select ${engineVersion} as sqlite, (select max(name) from schema_migration) as schema`;
  return (await first(ledger, versions)) ?? { sqlite: '', schema: '' };
}

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

/** The properties of a database and its role that a ledger depends on. None is secret. */
export type DatabaseFacts = NonNullable<Awaited<ReturnType<typeof databaseFacts>>>;

/** Reads the properties of a ledger's database; null for a ledger in a file. */
export async function databaseFacts(ledger: Ledger) {
  const { file, local } = ledger;
  if (file !== null) return null;
  const facts = sql<
    Record<'version' | 'encoding', string> & Record<'nowMs' | 'isPrivate' | 'mayRewrite', number>
  >`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      extract(epoch from clock_timestamp()) * 1000 as "nowMs",
      (select coalesce(bool_or(ssl), false) from pg_stat_ssl where pid = pg_backend_pid())
        or coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true) as "isPrivate",
      (select rolsuper from pg_roles where rolname = current_user) as "mayRewrite"`;
  // The first query may have to connect, which would lengthen the round trip.
  await first(ledger, sql`select 1`);
  const [fromMs, wallMs] = [local.monotonicMs(), local.nowMs()];
  const answer = await first(ledger, facts);
  if (answer === undefined) throw new Error('the query returned no row');
  const roundTripMs = local.monotonicMs() - fromMs;
  const { nowMs, isPrivate, mayRewrite, version, ...others } = answer;
  return {
    ...others,
    version: version.split(' ')[0] ?? version,
    roundTripMs,
    /** How far the database's wall clock is ahead of this machine's. */
    aheadMs: Math.round(nowMs - wallMs - roundTripMs / 2),
    /** True where the connection is encrypted, or doesn't leave the machine. */
    isPrivate: isPrivate === 1,
    /** True for a role that may change append-only rows: a superuser, whom no trigger stops. */
    mayRewrite: mayRewrite === 1,
  };
}
