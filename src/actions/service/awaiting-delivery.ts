import { outagesIn } from '../../ledger/attempts/outages.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { learnersDue } from '../../ledger/submissions/rechecks.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/**
 * True where an environment of registrar.yaml has something to deliver that no living process delivers: rows that wait, rows that
 * were being sent when their process died, or learners to check again.
 */
export async function awaitsDelivery(
  { ledger, config }: ActionContext,
  environment: string,
): Promise<boolean> {
  requireInPlace(ledger);
  const settings = config.environments[environment];
  if (settings === undefined || settings.paused !== undefined) return false;
  const { leases, waiting, abandoned } = (await readState(ledger, ['work'])).work;
  if (leases.some(({ name, isAlive }) => isAlive && name === `push:${environment}`)) return false;
  return (
    waiting.includes(environment) ||
    abandoned.some((rows) => rows.environment === environment) ||
    (await learnersDue(ledger, environment, settings.recheck)).length > 0
  );
}

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
