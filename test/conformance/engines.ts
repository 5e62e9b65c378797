import type { Ledger } from '../../src/ledger/store/query.js';
import { postgres } from './postgres-engine.js';
import { sqlite } from './sqlite-engine.js';
import type { StoreClock } from './store-clock.js';

/** A kind of database that can hold the ledger. */
export interface Engine {
  readonly name: string;
  /** A fresh, empty ledger, closed when the test ends. */
  open(): Promise<OpenedLedger>;
}

/** A ledger as a test uses it. */
export interface OpenedLedger {
  readonly ledger: Ledger;
  /** The time by which the store goes: leases, permits, slots, heartbeats. */
  readonly clock: StoreClock;
  /**
   * One more connection to the same ledger, as another process has.
   * @param process a stuck one never shows again that it lives.
   */
  connect(process?: 'living' | 'stuck'): Promise<Ledger>;
  /** What another process opens the ledger by. */
  readonly address: string;
}

/** The engines that keep what the tests of this folder state. */
export const ENGINES: readonly Engine[] = [sqlite, postgres];
