import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { type Clock, isoFromMs } from '../../../domain/clock.js';
import { fingerprint, HIGHEST, type LedgerMark } from '../ledger-mark.js';
import { type Migration, migrationsOf, readMigrations, refuseForeign, unopened } from '../migrations.js';
import type { Ledger } from '../query.js';
import type { Tables } from '../schema.js';
import { databaseClock } from './database-clock.js';
import { executorOn, ledgerPool } from './executor.js';

export interface DatabaseOptions {
  /** 'process': the ledger uses the given clock, for tests; default: the database's clock. */
  readonly time?: 'database' | 'process';
  readonly connections?: number;
  /** The timeout of a statement; the default is longer than any statement of the program takes. */
  readonly answerMs?: number;
  /** The name of the workspace that the ledger must belong to; '': not checked. */
  readonly workspace?: string;
  readonly beside?: string;
  /** Called with the ledger's mark before the ledger is used; throws where it isn't the workspace's ledger. */
  readonly expect?: (mark: LedgerMark) => void;
}

/** The maximum number of connections of a process: writers wait for their turn without one, so most are for readers. */
const CONNECTIONS = 10;

/** Opens the ledger in a PostgreSQL database, and creates it where there is none yet. */
export async function openDatabaseLedger(
  url: string,
  local: Clock,
  {
    time = 'database',
    connections = CONNECTIONS,
    answerMs,
    workspace = '',
    beside = join(tmpdir(), 'registrar'),
    expect,
  }: DatabaseOptions = {},
): Promise<Ledger> {
  const pool = ledgerPool(url, connections, answerMs);
  try {
    const clock = time === 'database' ? databaseClock(local) : null;
    const { db, inLane } = executorOn(pool, databaseName(url), local, clock);
    // Like each write transaction, this one reads the database's time.
    const salt = await db.transaction().execute(async (transaction) => {
      await migrate(transaction, url, isoFromMs(local.nowMs()));
      const salt = await saltOf(transaction, isoFromMs(local.nowMs()));
      if (workspace !== '') await requireOwn(transaction, url, workspace);
      if (expect !== undefined) {
        const { rows } = await sql<Omit<LedgerMark, 'ledger'>>`${sql.raw(HIGHEST)}`.execute(transaction);
        for (const highest of rows) expect({ ledger: fingerprint(salt), ...highest });
      }
      return salt;
    });
    return { db, inLane, inTransaction: false, clock: clock ?? local, local, salt, beside, file: null };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function migrate(db: Kysely<Tables>, url: string, at: string): Promise<void> {
  await sql`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at text not null)`.execute(db);
  const applied = sql<Pick<Migration, 'name'> & { sha256: string }>`
    select name, sha256 from schema_migration order by name`;
  const { rows } = await applied.execute(db);
  const migrations = readMigrations([migrationsOf('postgres')]);
  refuseForeign(rows, migrations, databaseName(url));
  for (const { name, text, sha256 } of migrations.slice(rows.length)) {
    await sql.raw(text).execute(db);
    await sql`insert into schema_migration (name, sha256, applied_at) values (${name}, ${sha256}, ${at})`.execute(
      db,
    );
  }
}

/** Creates the salt only before the first run: after it, a new salt would change the key of each record. */
async function saltOf(db: Kysely<Tables>, at: string): Promise<string> {
  const newSalt = randomBytes(32).toString('hex');
  await sql`insert into ledger (ledger_id, salt, created_at) select 1, ${newSalt}, ${at}
    where not exists (select 1 from run) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ salt: string }>`select salt from ledger`.execute(db);
  const [{ salt } = { salt: '' }] = rows;
  if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error('the ledger has no salt');
  return salt;
}

/** Throws OperatorError where the database belongs to another workspace: the first one that used it. */
async function requireOwn(db: Kysely<Tables>, url: string, workspace: string): Promise<void> {
  await sql`update ledger set workspace = ${workspace} where workspace is null`.execute(db);
  const { rows } = await sql<{ workspace: string }>`select workspace from ledger`.execute(db);
  const owner = rows[0]?.workspace ?? workspace;
  if (owner === workspace) return;
  const database = databaseName(url);
  const message = `the database ${database} holds the ledger of the workspace "${owner}", and this one is "${workspace}"`;
  const hint =
    'Use a separate database for each workspace. Machines that share a workspace have the same `workspace` in registrar.yaml.';
  throw unopened(database, message, hint);
}

/** The name of a database for people: its name and host, without user and password. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${pathname.slice(1)} at ${host}`;
}
