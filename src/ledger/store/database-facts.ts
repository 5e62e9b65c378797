import { sql } from 'kysely';
import { first, type Ledger } from './query.js';

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
