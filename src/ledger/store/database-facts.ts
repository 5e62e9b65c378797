import { sql } from 'kysely';
import { first, type Ledger } from './query.js';

/** What a database and its role are like, as far as a ledger depends on it. Nothing of it is secret. */
export interface DatabaseFacts {
  /** `15.18`. */
  readonly version: string;
  /** `UTF8`, unless somebody has made the database for other letters. */
  readonly encoding: string;
  /** How long a question and its answer take. */
  readonly roundTripMs: number;
  /** How far the database's clock is ahead of this machine's, by their wall clocks. */
  readonly aheadMs: number;
  /** True where the connection is encrypted, or doesn't leave the machine. */
  readonly isPrivate: boolean;
  /** True for a role that may change what is append-only: a superuser, whom no trigger stops. */
  readonly mayRewrite: boolean;
  /** Connections to the server, and how many it takes. */
  readonly connections: number;
  readonly mostConnections: number;
}

/** Asks the database of a ledger what it is like; null for a ledger in a file. */
export async function databaseFacts(ledger: Ledger): Promise<DatabaseFacts | null> {
  const { file, local } = ledger;
  if (file !== null) return null;
  const asking = sql<Omit<DatabaseFacts, 'roundTripMs' | 'aheadMs' | 'isPrivate' | 'mayRewrite'> & Answered>`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      extract(epoch from clock_timestamp()) * 1000 as "nowMs",
      (select coalesce(bool_or(ssl), false) from pg_stat_ssl where pid = pg_backend_pid())
        or coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true) as "isPrivate",
      (select rolsuper from pg_roles where rolname = current_user) as "mayRewrite",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::bigint as "mostConnections"`;
  // The first question may have to connect.
  await first(ledger, sql`select 1`);
  const [fromMs, wallMs] = [local.monotonicMs(), local.nowMs()];
  const answer = await first(ledger, asking);
  if (answer === undefined) throw new Error('a question without an answer');
  const roundTripMs = local.monotonicMs() - fromMs;
  const { nowMs, isPrivate, mayRewrite, version, ...others } = answer;
  return {
    ...others,
    version: version.split(' ')[0] ?? version,
    roundTripMs,
    aheadMs: Math.round(nowMs - wallMs - roundTripMs / 2),
    isPrivate: isPrivate === 1,
    mayRewrite: mayRewrite === 1,
  };
}

interface Answered {
  readonly nowMs: number;
  readonly isPrivate: number;
  readonly mayRewrite: number;
}
