import { inTurn } from '../../domain/process/in-turn.js';
import { all, type Ledger, query } from '../store/query.js';
import { type LeaseName, leaseHolder } from './leases.js';

/** A lease that somebody took and didn't give back. */
export interface HeldLease {
  readonly name: LeaseName;
  readonly pid: number;
  /** False: its owner is gone, or has shown no sign of life for so long that anybody may take it. */
  readonly isAlive: boolean;
}

/** The leases that somebody holds, or held when it died, by name. */
export async function heldLeases(ledger: Ledger): Promise<HeldLease[]> {
  const held = await all(
    ledger,
    query.selectFrom('lease').select(['name', 'pid']).where('owner', 'is not', null).orderBy('name'),
  );
  return inTurn(held, async ({ name, pid }) => {
    const lease = name as LeaseName;
    return { name: lease, pid: pid ?? 0, isAlive: (await leaseHolder(ledger, lease)) !== null };
  });
}
