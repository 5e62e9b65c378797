import { type LeaseName, leaseHolder } from './leases.js';
import { all, type Ledger, query } from './query.js';

/** A lease that somebody took and didn't give back. */
export interface HeldLease {
  readonly name: LeaseName;
  readonly pid: number;
  /** False: its owner is gone, or has shown no sign of life for so long that anybody may take it. */
  readonly isAlive: boolean;
}

/** The leases that somebody holds, or held when it died, by name. */
export function heldLeases(ledger: Ledger): HeldLease[] {
  const held = all(
    ledger,
    query.selectFrom('lease').select(['name', 'pid']).where('owner', 'is not', null).orderBy('name'),
  );
  return held.map(({ name, pid }) => {
    const lease = name as LeaseName;
    return { name: lease, pid: pid ?? 0, isAlive: leaseHolder(ledger, lease) !== null };
  });
}
