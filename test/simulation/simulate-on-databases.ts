import { systemClock } from '../../src/domain/clock.js';
import { disconnect } from '../../src/ledger/store/open.js';
import { openDatabaseLedger } from '../../src/ledger/store/postgres/open.js';
import { freshDatabase } from '../support/postgres-server.js';
import { databaseLedger } from './database-ledger.js';
import type { SeedResult } from './simulate-seeds.js';
import { simulateWorld } from './simulate-world.js';

/**
 * Simulates the seeds `from` to `to`, one after the other, each with a database of its own; `ended` is called with each,
 * until `stop` is aborted.
 */
export async function simulateOnDatabases(
  from: number,
  to: number,
  ended: (result: SeedResult) => void,
  stop?: AbortSignal,
): Promise<void> {
  for (let seed = from; seed <= to && !stop?.aborted; seed += 1) {
    const { url, drop } = await freshDatabase();
    await disconnect(await openDatabaseLedger(url, systemClock()));
    ended({ seed, result: await simulateWorld(seed, { ledger: databaseLedger(url) }) });
    await drop();
  }
}
