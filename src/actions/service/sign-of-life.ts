import { type Owner, thisProcess } from '../../ledger/leases/owner.js';
import { recordHeartbeat, signOff, signOn } from '../../ledger/leases/services.js';
import type { ActionContext } from '../context.js';

/** A service that has signed on. */
export interface SignedOn {
  /** To be called every minute. */
  recordHeartbeat(): Promise<void>;
  /** The service ends as requested. */
  signOff(): Promise<void>;
}

/** Records that this process is a service from now on, so that it is missed when it is gone. */
export async function serviceSignsOn({ ledger }: ActionContext): Promise<SignedOn> {
  const owner: Owner = thisProcess();
  await signOn(ledger, owner);
  return { recordHeartbeat: () => recordHeartbeat(ledger, owner), signOff: () => signOff(ledger, owner) };
}
