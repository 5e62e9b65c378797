import { type Ledger, reading } from '../store/query.js';
import { type HeldLease, heldLeases } from './held-leases.js';
import { type KnownService, knownServices } from './services.js';

/** What the ledger knows of services. */
export interface ServiceNow {
  /** The latest sign of life first. */
  readonly services: readonly KnownService[];
  /** The leases that processes hold now, of whatever kind of run. */
  readonly work: readonly HeldLease[];
}

/** Reads which services live, and who works now. */
export async function readService(ledger: Ledger): Promise<ServiceNow> {
  return reading(ledger, async (ledger) => ({
    services: await knownServices(ledger),
    work: (await heldLeases(ledger)).filter(({ isAlive }) => isAlive),
  }));
}
