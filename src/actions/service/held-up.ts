import { outagesIn } from '../../ledger/attempts/outages.js';
import type { ActionContext } from '../context.js';
import { awaitsDelivery } from './awaiting-delivery.js';

/**
 * True where rows wait for an environment and aren't delivered: it can't be used, or the latest delivery broke off.
 * @param isBroken true where this process's latest delivery to it has failed.
 */
export async function isHeldUp(
  context: ActionContext,
  environment: string,
  isBroken: boolean,
): Promise<boolean> {
  if (isBroken && (await awaitsDelivery(context, environment))) return true;
  const outages = await outagesIn(context.ledger, {});
  return outages.some((outage) => outage.environment === environment && outage.waiting > 0);
}
