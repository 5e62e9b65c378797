import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { type Clock, isoFromMs } from '../../../domain/clock.js';
import { OperatorError } from '../../../domain/operator-error.js';
import { explained } from '../away.js';
import { digest, type Migration, migrationsOf, readMigrations, refuseForeign } from '../migrations.js';
import type { Ledger } from '../query.js';
import { databaseClock } from './database-clock.js';
import { executorOn, ledgerPool } from './executor.js';

/** How a process opens a ledger that is a database. */
export interface DatabaseOptions {
  /** 'process': the ledger goes by the given clock, as tests need it; by default it goes by the database's. */
  readonly time?: 'database' | 'process';
  readonly connections?: number;
  /** The name of the workspace whose ledger it is to be; '': it isn't asked. */
  readonly workspace?: string;
  /** As in `Ledger`. */
  readonly beside?: string;
}

/** Connections that a process needs at most: what it delivers takes turns, and pages are read beside it. */
const CONNECTIONS = 8;

/** Opens the ledger in a PostgreSQL database, which is made where there has never been one. */
export async function openDatabaseLedger(
  url: string,
  local: Clock,
  {
    time = 'database',
    connections = CONNECTIONS,
    workspace = '',
    beside = join(tmpdir(), 'registrar'),
  }: DatabaseOptions = {},
): Promise<Ledger> {
  const pool = ledgerPool(url, connections);
  try {
    const clock = time === 'database' ? databaseClock(local) : null;
    const db = executorOn(pool, databaseName(url), local, clock);
    const salt = await inTransaction(pool, async (client) => {
      await migrate(client, url, isoFromMs(local.nowMs()));
      const salt = await saltOf(client, isoFromMs(local.nowMs()));
      if (workspace !== '') await requireOwn(client, url, workspace);
      return salt;
    });
    // Begins by the database's time.
    if (clock !== null) await db.transaction().execute(async () => {});
    return { db, inTransaction: false, clock: clock ?? local, local, salt, beside, file: null };
  } catch (error) {
    await pool.end();
    throw explained(error, databaseName(url));
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin; select pg_advisory_xact_lock(hashtext('registrar ' || current_schema()))");
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function migrate(client: pg.PoolClient, url: string, at: string): Promise<void> {
  await client.query(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at text not null)',
  );
  const applied = await client.query<Pick<Migration, 'name'> & { sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  const known = readMigrations([migrationsOf('postgres')]);
  refuseForeign(applied.rows, known, databaseName(url));
  for (const migration of known.slice(applied.rows.length)) {
    await client.query(migration.text);
    await client.query('insert into schema_migration (name, sha256, applied_at) values ($1, $2, $3)', [
      migration.name,
      digest(migration.text),
      at,
    ]);
  }
}

/** Only before the first run is it made: afterwards another salt would change the key of each record. */
async function saltOf(client: pg.PoolClient, at: string): Promise<string> {
  await client.query(
    `insert into ledger (ledger_id, salt, created_at) select 1, $1, $2 where not exists (select 1 from run)
     on conflict do nothing`,
    [randomBytes(32).toString('hex'), at],
  );
  const { rows } = await client.query<{ salt: string }>('select salt from ledger');
  const [{ salt } = { salt: '' }] = rows;
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the ledger has no salt');
  return salt;
}

/** The database keeps the name of the first workspace that uses it. */
async function requireOwn(client: pg.PoolClient, url: string, workspace: string): Promise<void> {
  await client.query('update ledger set workspace = $1 where workspace is null', [workspace]);
  const { rows } = await client.query<{ workspace: string }>('select workspace from ledger');
  const known = rows[0]?.workspace ?? workspace;
  if (known === workspace) return;
  const database = databaseName(url);
  throw new OperatorError({
    operation: 'open the ledger',
    subject: database,
    message: `the database ${database} holds the ledger of the workspace "${known}", and this one is "${workspace}"`,
    hint: 'Give each workspace a database of its own. Machines that share a workspace have the same `workspace` in registrar.yaml.',
  });
}

/** What people know a database by: its host and name, and never its password. */
function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} at ${host}`;
}
