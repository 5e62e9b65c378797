import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../../src/domain/clock.js';
import { OperatorError } from '../../../../src/domain/operator-error.js';
import { isPassing } from '../../../../src/domain/process/io-hints.js';
import { collected } from '../../../../src/domain/process/series.js';
import {
  adoptDeadRuns,
  isLease,
  leaseHolder,
  leaseOfRun,
  takeLease,
} from '../../../../src/ledger/leases/leases.js';
import { thisProcess } from '../../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../../src/ledger/leases/runs.js';
import { takePermit } from '../../../../src/ledger/permits/quota.js';
import { isAmong } from '../../../../src/ledger/store/dialect.js';
import { databaseFacts } from '../../../../src/ledger/store/ledger-facts.js';
import { disconnect } from '../../../../src/ledger/store/open.js';
import { type DatabaseOptions, openDatabaseLedger } from '../../../../src/ledger/store/postgres/open.js';
import {
  all,
  change,
  each,
  first,
  type Lane,
  type Ledger,
  query,
  reading,
  writing,
  writingIn,
} from '../../../../src/ledger/store/query.js';
import { databaseError } from '../../../../src/ledger/store/unavailable.js';
import { freshDatabase } from '../../../support/postgres-server.js';
import { stage } from '../../../support/staged-ledger.js';

/** A machine's clock that is wrong by so much, and whose machine started at another time. */
function clockOff(ms: number): Clock {
  const system = systemClock();
  return {
    ...system,
    bootId: `boot-${ms}`,
    nowMs: () => system.nowMs() + ms,
    monotonicMs: () => system.monotonicMs() + 7 * Math.abs(ms),
  };
}

async function database() {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return withOpen(url);
}

let shared: ReturnType<typeof freshDatabase> | undefined;

/** Shared by all tests that need an empty one and leave nothing that affects another. */
async function sharedDatabase() {
  shared ??= freshDatabase();
  return withOpen((await shared).url);
}

afterAll(async () => (await shared)?.drop());

function withOpen(url: string) {
  const open = async (clock: Clock = systemClock(), options: DatabaseOptions = {}) => {
    const ledger = await openDatabaseLedger(url, clock, options);
    onTestFinished(() => disconnect(ledger));
    return ledger;
  };
  return { url, open };
}

/** Ends all connections of a database but the one that runs the query, as an administrator or a restart of the server does. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
}

const RULE = { requests: 3, perMs: 60_000, reserve: 0, pace: 'burst' } as const;

describe('machines whose clocks are minutes apart', () => {
  it('go by the database’s clock', async () => {
    const { open } = await sharedDatabase();
    const [early, late] = [await open(clockOff(-300_000)), await open(clockOff(300_000))];
    const real = Date.now();
    for (const { clock } of [early, late]) {
      expect(Math.abs(clock.nowMs() - real)).toBeLessThan(5_000);
      expect(clock.bootId).toBe('database');
    }
  });

  it('share a quota, and a lease goes to no other process while its owner renews it', async () => {
    const { open } = await sharedDatabase();
    const ledgers = [await open(clockOff(-300_000)), await open(clockOff(300_000))] as const;
    const taken: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      const permit = await takePermit(ledgers[n % 2] ?? ledgers[0], 'client', RULE, 'push', 10_000);
      taken.push('permitId' in permit);
    }
    expect(taken).toEqual([true, true, true, false, false, false]);
    const owner = { ...thisProcess(), pid: 999_999, pidStarted: null, host: 'another-machine' };
    const lease = await takeLease(ledgers[0], 'push:main', owner, null);
    if (!isLease(lease)) throw new Error('the lease is taken');
    // The fence is a time of the owner's own clock.
    const leftMs = lease.fence.untilMs - ledgers[0].local.monotonicMs();
    expect(leftMs).toBeGreaterThan(20_000);
    expect(leftMs).toBeLessThanOrEqual(30_000);
    // Its pid runs on no machine, but only the machine itself could know that.
    expect(await takeLease(ledgers[1], 'push:main', thisProcess(), null)).toMatchObject({
      host: 'another-machine',
    });
  });

  it('leave each other’s runs alone as long as their heartbeats come', async () => {
    const { open } = await database();
    const [one, other] = [await open(clockOff(-300_000)), await open(clockOff(300_000))];
    const there = { ...thisProcess(), pid: 999_999, pidStarted: null };
    const going = await beginRun(one, 'manual', there, '1');
    expect(await leaseOfRun(one, going, there)).not.toBeNull();
    // Another one, whose heartbeat has stopped.
    await beginRun(one, 'manual', there, '1');
    const here = await beginRun(other, 'manual', thisProcess(), '1');
    expect(await adoptDeadRuns(other, here, thisProcess())).toBe(1);
  });

  it('adopt a run whose process is gone from this machine, and its lease with it', async () => {
    const { open } = await database();
    const ledger = await open();
    const dead = { ...thisProcess(), pid: 4_194_305, pidStarted: null };
    const runId = await beginRun(ledger, 'manual', dead, '1');
    expect(await leaseOfRun(ledger, runId, dead)).not.toBeNull();
    const here = await beginRun(ledger, 'manual', thisProcess(), '1');
    expect(await adoptDeadRuns(ledger, here, thisProcess())).toBe(1);
    expect(await leaseHolder(ledger, `run:${runId}`)).toBeNull();
  });
});

it('an answer that was read in pieces keeps no process alive', async () => {
  const { open } = await sharedDatabase();
  const ledger = await open();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const numbers = sql<{ readonly n: number }>`select generate_series(1, 2000) as n`;
  const before = timers();
  expect(await collected(each(ledger, numbers))).toHaveLength(2_000);
  for await (const { n } of each(ledger, numbers)) if (n === 700) break;
  expect(timers()).toBeLessThanOrEqual(before);
});

describe('a database that ends its connections', () => {
  it('is queried again: what was begun is done once', async () => {
    const { url, open } = await database();
    const ledger = await open();
    const jobs = Array.from({ length: 40 }, (_, n) => `job ${n}`);
    for (const [n, job] of jobs.entries()) {
      if (n % 8 === 3) await endConnections(url);
      await ledger.db.insertInto('job').values({ job, since_at: 'now' }).execute();
    }
    const known = await ledger.db.selectFrom('job').select('job').orderBy('since_at').execute();
    expect(known.map(({ job }) => job).sort()).toEqual([...jobs].sort());
  });

  it('in the middle of a long list says so in words, and the next question is answered', async () => {
    const { url, open } = await database();
    const ledger = await open();
    await change(
      ledger,
      sql`insert into job (job, since_at) select n::text, 'now' from generate_series(1, 3000) n`,
    );
    const read = async () => {
      let rows = 0;
      for await (const _ of each(ledger, query.selectFrom('job').select('job'))) {
        rows += 1;
        if (rows === 10) await endConnections(url);
      }
    };
    const error = await read().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OperatorError);
    expect(isPassing(error)).toBe(true);
    expect(await ledger.db.selectFrom('job').select('job').execute()).toHaveLength(3_000);
  });

  it('in the middle of a transaction loses all of it, and the transaction is run again', async () => {
    const { url, open } = await database();
    const ledger = await open();
    let runs = 0;
    await writing(ledger, async (ledger) => {
      runs += 1;
      await change(ledger, query.insertInto('job').values({ job: 'one', since_at: 'now' }));
      if (runs === 1) await endConnections(url);
      await change(ledger, query.insertInto('job').values({ job: 'two', since_at: 'now' }));
    });
    expect(runs).toBe(2);
    expect(
      await reading(ledger, (ledger) => all(ledger, query.selectFrom('job').select('job'))),
    ).toHaveLength(2);
  });
});

describe('transactions of two machines', () => {
  /** Which of these have come to their work while the first is still in its own, and whether all come to their end after it. */
  async function besideFirst(lanes: readonly (Lane | undefined)[]) {
    const { open } = await sharedDatabase();
    const [one, other] = [await open(), await open()];
    let [enter, leave] = [() => {}, () => {}];
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const gate = new Promise<void>((resolve) => (leave = resolve));
    const inTime = new Set<number>();
    let isOpen = false;
    const begin = (ledger: Ledger, index: number, work: () => Promise<void>) =>
      writingIn(ledger, lanes[index], async (ledger) => {
        await all(ledger, sql`select 1`);
        if (!isOpen) inTime.add(index);
        await work();
      });
    const first = begin(one, 0, async () => {
      enter();
      await gate;
    });
    await entered;
    const others = lanes.slice(1).map((_, index) => begin(other, index + 1, async () => {}));
    await Promise.race([Promise.all(others), new Promise((resolve) => setTimeout(resolve, 300))]);
    isOpen = true;
    leave();
    await Promise.all([first, ...others]);
    return lanes.filter((_, index) => inTime.has(index));
  }

  it('run side by side where they keep to different lanes', async () => {
    expect(await besideFirst(['push:a', 'push:b', 'client:a'])).toEqual(['push:a', 'push:b', 'client:a']);
  });

  it('wait for one that keeps to the same lane', async () => {
    expect(await besideFirst(['push:a', 'push:a'])).toEqual(['push:a']);
  });

  it('wait for one that has the whole ledger, and it waits for them', async () => {
    expect(await besideFirst([undefined, 'push:a'])).toEqual([undefined]);
    expect(await besideFirst(['push:a', undefined])).toEqual(['push:a']);
  });
});

describe('a pool whose connections are all in use', () => {
  it('is waited for: the database is there', async () => {
    const { open } = await sharedDatabase();
    const ledger = await open(systemClock(), { connections: 1 });
    const queries = Array.from({ length: 30 }, () => all(ledger, sql`select pg_sleep(0.4)`));
    expect(await Promise.all(queries)).toHaveLength(30);
  }, 30_000);
});

describe('a database that can’t be used', () => {
  const opening = async (url: string, options: DatabaseOptions = {}) =>
    openDatabaseLedger(url, systemClock(), options).then(
      () => null,
      (error: unknown) => error as OperatorError,
    );

  it('is reported where it is missing, without its password, and the outage ends by itself', async () => {
    const error = await opening('postgres://registrar:geheim@127.0.0.1:1/ledger');
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({ exit: 'io', subject: 'ledger at 127.0.0.1:1' });
    expect(`${error?.message} ${error?.hint}`).not.toContain('geheim');
    expect(isPassing(error)).toBe(true);
  });

  it.each([
    ['pg/lib/client.js', 'timeout expired'],
    ['pg/lib/client.js', 'Query read timeout'],
    ['pg/lib/client.js', 'Connection terminated unexpectedly'],
    ['pg-pool', 'timeout exceeded when trying to connect'],
  ])('is an outage that ends by itself where %s says "%s"', (file, words) => {
    expect(readFileSync(createRequire(import.meta.url).resolve(file), 'utf8')).toContain(words);
    expect(isPassing(databaseError(new Error(words), 'ledger'))).toBe(true);
  });

  it('is said where it has another name', async () => {
    const { url } = await sharedDatabase();
    const error = await opening(`${url}_else`);
    expect(error?.message).toMatch(/does not exist/);
    expect(error?.hint).toMatch(/Create the database/);
    expect(isPassing(error)).toBe(false);
  });

  it('is refused where it is another workspace’s', async () => {
    const { url, open } = await database();
    await open(systemClock(), { workspace: 'acme' });
    await open(systemClock(), { workspace: 'acme' });
    expect((await opening(url, { workspace: 'other' }))?.message).toMatch(
      /holds the ledger of the workspace "acme", and this one is "other"/,
    );
  });
});

it('a pooler that gives the connection to others after each transaction is named', async () => {
  const ledger = await (await sharedDatabase()).open(systemClock(), { connections: 1 });
  const statement = sql`select ${1} as one`;
  await all(ledger, statement);
  // The connection goes on as another one, which has prepared nothing, or something else under the name.
  await sql.raw('deallocate all').execute(ledger.db);
  await expect(all(ledger, statement)).rejects.toMatchObject({ hint: expect.stringContaining('PgBouncer') });
});

it('a role that bypasses triggers is recognized', async () => {
  const { url } = await sharedDatabase();
  const superuser = new URL(url);
  superuser.username = 'postgres';
  const ledger = await openDatabaseLedger(superuser.href, systemClock());
  onTestFinished(() => disconnect(ledger));
  expect(await databaseFacts(ledger)).toMatchObject({ mayRewrite: true });
});

it('a transaction that fails while it waits for its turn leaves its connection usable', async () => {
  const { url, open } = await sharedDatabase();
  const [one, other] = [await open(), await open(systemClock(), { connections: 1 })];
  const [begun, ended] = [new AbortController(), new AbortController()];
  const until = ({ signal }: AbortController) =>
    new Promise((resolve) => signal.addEventListener('abort', resolve));
  const isBegun = until(begun);
  const isEnded = until(ended);
  onTestFinished(() => ended.abort());
  const holding = writing(one, async () => {
    begun.abort();
    await isEnded;
  });
  await isBegun;
  const waiting = writing(other, async () => 'begun');
  const failed = expect(waiting).rejects.toThrow(/canceling statement/);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const canceled =
    "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  await expect.poll(async () => (await client.query(canceled)).rowCount).toBeGreaterThan(0);
  await client.end();
  await failed;
  ended.abort();
  await holding;
  expect(await writing(other, async () => 'begun')).toBe('begun');
});

it('a search without texts finds nothing', async () => {
  const { open } = await sharedDatabase();
  const named = query.selectFrom('run').select('run_id').where(isAmong('host', []));
  expect(await all(await open(), named)).toEqual([]);
});

it('permanent rows can’t be updated or deleted', async () => {
  const { open } = await database();
  const ledger = await open();
  const runId = await beginRun(ledger, 'manual', thisProcess(), '1');
  await change(
    ledger,
    query.insertInto('attempt').values({
      run_id: runId,
      environment: 'main',
      operation: 'submit-completion',
      lease_fence: 1,
      started_at: '2026-03-02T08:00:00.000Z',
    }),
  );
  for (const refused of [
    query.updateTable('attempt').set({ environment: 'other' }),
    query.deleteFrom('attempt'),
  ]) {
    await expect(change(ledger, refused)).rejects.toThrow('attempt: append-only');
  }
  expect(await first(ledger, query.selectFrom('attempt').select('environment'))).toEqual({
    environment: 'main',
  });
});

describe('a row with a dangling reference', () => {
  const REFERENCES = [
    ['submission', 'drop_id'],
    ['submission', 'learner_id'],
    ['submission', 'content_id'],
    ['submission', 'environment_id'],
    ['submission', 'operation_id'],
    ['row', 'drop_id'],
  ] as const;

  it('is refused, in each column that refers to another row', async () => {
    const { open } = await database();
    const ledger = await open();
    await stage(ledger, [{ user: 'ada@example.com' }]);
    for (const [index, [table, column]] of REFERENCES.entries()) {
      const columns = await all(
        ledger,
        sql<{ name: string }>`select column_name::text as name from information_schema.columns
          where table_schema = current_schema() and table_name = ${table} and is_identity = 'NO'`,
      );
      const names = columns.map(({ name }) => name).join(', ');
      /** Another row like the first one there, with other values in these columns. */
      const copy = (values: Readonly<Record<string, string>>) =>
        change(
          ledger,
          sql.raw(
            `insert into ${table} (${names}) select ${columns.map(({ name }) => values[name] ?? name).join(', ')}
             from ${table} order by line limit 1`,
          ),
        );
      const another = {
        line: String(90 + index),
        ...(table === 'submission' ? { revision: String(2 + index) } : {}),
      };
      await expect(copy({ ...another, [column]: '12345' }), `${table}.${column}`).rejects.toThrow(
        'refers to what is not there',
      );
      await copy(another);
    }
  });

  it('can’t come about by a deletion', async () => {
    const { open } = await database();
    const ledger = await open();
    await stage(ledger, [{ user: 'ada@example.com' }], { publish: false });
    for (const table of ['drop_file', 'learner', 'content', 'environment', 'operation']) {
      await expect(change(ledger, sql.raw(`delete from ${table}`))).rejects.toThrow(`${table}: `);
    }
  });
});
