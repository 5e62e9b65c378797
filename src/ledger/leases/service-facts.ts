import { type Ledger, reading } from '../store/query.js';
import { heldLeases } from './held-leases.js';
import { knownServices } from './services.js';

/** What the ledger knows of services. */
export type ServiceNow = Awaited<ReturnType<typeof readService>>;

/** Reads the services, the latest sign of life first, and the leases that processes hold now, of whatever kind of run. */
export async function readService(ledger: Ledger) {
  return reading(ledger, async (ledger) => ({
    services: await knownServices(ledger),
    work: (await heldLeases(ledger)).filter(({ isAlive }) => isAlive),
  }));
}
