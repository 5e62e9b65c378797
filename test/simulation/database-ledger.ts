import type pg from 'pg';
import { type Clock, msFromIso } from '../../src/domain/clock.js';
import { executorOn, ledgerPool } from '../../src/ledger/store/postgres/executor.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { allAnswered } from '../conformance/under-way-queries.js';
import type { VirtualTime } from '../support/virtual-time.js';
import { BEGIN, NO_PID, SALT, type StatementHooks, type WorldLedger } from './process-ledger.js';

/** Connections of all processes of a world together. */
const CONNECTIONS = 40;

/**
 * The ledger of a world in a database, which has an empty ledger. What processes ask of it together is answered in any order, so that a
 * seed gives other worlds each time. @param beginMs what the clock of the database shows first.
 */
export function databaseLedger(url: string, beginMs = msFromIso(BEGIN)): WorldLedger {
  const pool = ledgerPool(url, CONNECTIONS);
  const opened = ({ clock, time }: { clock: Clock; time: VirtualTime }, hooks: StatementHooks): Ledger => {
    const own = hookedPool(pool, hooks);
    const { db, inLane } = executorOn(own, 'world', clock, null);
    return { db, inLane, ...ofDatabase(clock, time, beginMs) };
  };
  return {
    of: opened,
    seenAt: (process) => opened(process, { before() {}, committed() {} }),
    markGone(ownerId) {
      pool.query('update lease set pid = $1 where owner = $2', [NO_PID, ownerId]).catch(() => {});
    },
    atRest: allAnswered,
    async close() {
      await pool.end();
    },
  };
}

/** The clock of the database goes on whatever happens to the machine of its processes. */
function ofDatabase(local: Clock, time: VirtualTime, beginMs: number) {
  const clock: Clock = {
    bootId: 'database',
    nowMs: () => beginMs + time.passedMs(),
    monotonicMs: () => 1_000_000 + time.passedMs(),
    sleep: (ms, signal) => local.sleep(ms, signal),
  };
  return { inTransaction: false, clock, local, salt: SALT, beside: ':memory:', file: null } as const;
}

/** The pool as one process has it: that dies before a statement, or once something is committed. */
function hookedPool(pool: pg.Pool, hooks: StatementHooks): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    const ask = client.query.bind(client) as (...args: unknown[]) => unknown;
    const query = (...args: unknown[]) => {
      const [text] = args;
      // What a process that died has open is rolled back, as the server does once its connection is gone.
      if (text !== 'rollback') hooks.before();
      const answer = ask(...args);
      return text === 'commit' ? Promise.resolve(answer).then(hooks.committed) : answer;
    };
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return query;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  return { connect, ending: false } as unknown as pg.Pool;
}
