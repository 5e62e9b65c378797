import { mapSeries } from '../../domain/process/series.js';
import type { Ledger } from '../store/query.js';
import { type LeaseName, leaseHolder } from './leases.js';

/**
 * The leases that a process holds, or held when it died, by name. `isAlive` is false where the owner is gone, or has missed
 * heartbeats for so long that another process may take the lease.
 */
export async function heldLeases(ledger: Ledger) {
  const held = await ledger.db
    .selectFrom('lease')
    .select(['name', 'pid'])
    .where('owner', 'is not', null)
    .where('name', 'not like', 'run:%')
    .orderBy('name')
    .execute();
  return mapSeries(held, async ({ name, pid }) => {
    const lease = name as LeaseName;
    return { name: lease, pid: pid ?? 0, isAlive: (await leaseHolder(ledger, lease)) !== null };
  });
}
