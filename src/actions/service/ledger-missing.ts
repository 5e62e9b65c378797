import { OperatorError } from '../../domain/operator-error.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** Why the open ledger is no longer the one in the workspace; null while it is. */
export function ledgerMissing({ ledger }: Pick<ActionContext, 'ledger'>): OperatorError | null {
  try {
    requireInPlace(ledger);
    return null;
  } catch (error) {
    // A disk that can't be read is reported by the process that uses it, and may recover.
    return error instanceof OperatorError ? error : null;
  }
}
