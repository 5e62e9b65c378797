import { OperatorError } from '../../domain/operator-error.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { recordHeartbeat, signOff, signOn } from '../../ledger/leases/services.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** Registers this process as a service, so that its absence is noticed. */
export async function registerService({ ledger }: ActionContext) {
  const owner = thisProcess();
  await signOn(ledger, owner);
  return {
    /** To be called every minute. */
    recordHeartbeat: () => recordHeartbeat(ledger, owner),
    signOff: () => signOff(ledger, owner),
  };
}

/** The error if the open ledger is no longer the one in the workspace; null while it is. */
export function ledgerMissing({ ledger }: Pick<ActionContext, 'ledger'>): OperatorError | null {
  try {
    requireInPlace(ledger);
    return null;
  } catch (error) {
    // A disk that can't be read is reported by the process that uses it, and may recover.
    return error instanceof OperatorError ? error : null;
  }
}
