import { type Owner, thisProcess } from '../../ledger/leases/owner.js';
import { recordHeartbeat, signOff, signOn } from '../../ledger/leases/services.js';
import type { ActionContext } from '../context.js';

/** Records that this process is a service from now on, so that it is missed when it is gone. */
export async function serviceSignsOn({ ledger }: ActionContext) {
  const owner: Owner = thisProcess();
  await signOn(ledger, owner);
  return {
    /** To be called every minute. */
    recordHeartbeat: () => recordHeartbeat(ledger, owner),
    /** The service ends as requested. */
    signOff: () => signOff(ledger, owner),
  };
}
