import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Clock, isoFromMs } from '../../src/domain/clock.js';
import { executorOn, ledgerPool } from '../../src/ledger/store/postgres/executor.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { asSuperuser, freshDatabase } from '../support/postgres-server.js';
import { tempFolder } from '../support/temp-folder.js';
import type { Engine } from './engines.js';
import { processClock } from './store-clock.js';
import { allAnswered } from './under-way-queries.js';

/** One database, reached by the processes of several machines. */
export const postgres: Engine = {
  name: 'postgres',
  async open() {
    const database = idle.pop() ?? (await newDatabase());
    const clock = processClock(undefined, 'database', allAnswered);
    const salt = randomBytes(32).toString('hex');
    await database.empty();
    const started = [salt, isoFromMs(clock.nowMs())];
    await database.query('insert into ledger (ledger_id, salt, created_at) values (1, $1, $2)', started);
    let processes = 0;
    const openAs = (local: Clock): Ledger => {
      const pool = database.pool(processes);
      processes += 1;
      const beside = tempFolder();
      const { db, inLane } = executorOn(pool, 'the database', local, null);
      return { db, inLane, inTransaction: false, clock: local, local, salt, beside, file: null };
    };
    onTestFinished(async () => {
      await allAnswered();
      if (database.mayServeAgain()) idle.push(database);
      else await database.drop();
    });
    return {
      ledger: openAs(clock.living),
      clock,
      connect: async (process = 'living') => openAs(clock[process]),
      address: database.url,
    };
  },
};

/** Databases that this process has made and no test uses: to make one, and connections to it, takes longer than most tests. */
const idle: ReusedDatabase[] = [];

type ReusedDatabase = Awaited<ReturnType<typeof newDatabase>>;

/** A connection keeps each statement that it has prepared. */
const USES_MAX = 40;

const CONNECTIONS = 4;

async function newDatabase() {
  const { url, drop } = await freshDatabase();
  const superuser = new pg.Pool({
    connectionString: asSuperuser(url),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server stops before processes end that no longer need it.
  superuser.on('error', () => {});
  const emptying = await emptyingOf(superuser);
  const pools: pg.Pool[] = [];
  let uses = 0;
  return {
    url,
    query: (text: string, values: readonly string[]) => superuser.query(text, [...values]),
    /** Deletes all that the last test has written, and begins all numbers at 1 again. */
    async empty(): Promise<void> {
      uses += 1;
      if (uses > 1) await superuser.query(emptying);
    },
    /** The connections of one of a test's processes. */
    pool(process: number): pg.Pool {
      pools[process] ??= lastingPool(url);
      return pools[process];
    },
    mayServeAgain: () =>
      uses < USES_MAX && pools.every((pool) => !pool.ending && pool.idleCount === pool.totalCount),
    async drop(): Promise<void> {
      for (const pool of [superuser, ...pools]) if (!pool.ending) await pool.end();
      await drop();
    },
  };
}

/** Its connections stay, as each new one takes longer than most tests. */
function lastingPool(url: string): pg.Pool {
  const pool = ledgerPool(url, CONNECTIONS);
  pool.options.idleTimeoutMillis = 0;
  return pool;
}

/** The statements that leave of a ledger what its migrations wrote. */
async function emptyingOf(database: pg.Pool): Promise<string> {
  const { rows } = await database.query<{ name: string; kind: 'r' | 'S' }>(
    `select relname as name, relkind as kind from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'S')
       and relname not in ('schema_migration', 'state_rule')`,
  );
  const statements = rows.map(({ name, kind }) => {
    if (kind === 'S') return `select setval('${name}', 1, false)`;
    return `delete from "${name}"${name === 'learner' ? ' where learner_id > 0' : ''}`;
  });
  // Bypasses the triggers that keep an audit ledger unchanged.
  return ['set session_replication_role = replica', ...statements].join('; ');
}
