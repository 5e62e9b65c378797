import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.js';
import { disconnect } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import { freshDatabase } from '../support/postgres-server.js';
import type { Engine } from './engines.js';
import { processClock } from './store-clock.js';
import { allAnswered } from './under-way-queries.js';

/** One database, reached by the processes of several machines. */
export const postgres: Engine = {
  name: 'postgres',
  async open() {
    const { url, drop } = await freshDatabase();
    const ledgers: { readonly close: () => Promise<void> }[] = [];
    onTestFinished(async () => {
      for (const { close } of ledgers) await close();
      await drop();
    });
    const clock = processClock(undefined, 'database', allAnswered);
    const openAs = async (local: Clock) => {
      const ledger = await openDatabaseLedger(url, local, { time: 'process', connections: 4 });
      ledgers.push({ close: () => disconnect(ledger) });
      return ledger;
    };
    return {
      ledger: await openAs(clock.living),
      clock,
      connect: async (process = 'living') => openAs(clock[process]),
      address: url,
    };
  },
};
