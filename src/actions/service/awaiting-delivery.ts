import { deliverable } from '../../ledger/submissions/waiting/deliverable.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/**
 * True where something is to be delivered to the environment now, and no process delivers to it; false for one that registrar.yaml
 * doesn't have.
 */
export async function awaitsDelivery(
  { ledger, config }: ActionContext,
  environment: string,
): Promise<boolean> {
  requireInPlace(ledger);
  const known = config.environments[environment];
  return known !== undefined && deliverable(ledger, environment, known.recheck);
}
