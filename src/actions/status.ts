import { type Status, statusOf } from '../report/status/status.js';
import { findAllUnmatched } from '../upkeep/find-unmatched.js';
import type { ActionContext } from './context.js';
import { readHealth } from './health/read-health.js';

/**
 * Reads what waits and until when, what needs attention, whether all is healthy, the quota in use, and the last runs.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 */
export async function status(
  context: ActionContext,
  { workspace }: { readonly workspace: string | null },
): Promise<Status> {
  const unmatched = await findAllUnmatched(context);
  const health = await readHealth(context, unmatched);
  return statusOf(context.ledger, context.config, { unmatched, health }, workspace);
}
