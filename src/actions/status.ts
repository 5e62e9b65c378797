import { type Status, statusOf } from '../report/status/status.js';
import { findUnmatched } from '../upkeep/find-unmatched.js';
import type { ActionContext } from './context.js';
import { readHealth } from './health/read-health.js';

/** Reads the present state in full. @param workspace the folder to name in commands; null where commands are given in it. */
export async function status(
  context: ActionContext,
  { workspace }: { readonly workspace: string | null },
): Promise<Status> {
  const unmatched = await findUnmatched(context);
  const health = await readHealth(context, unmatched);
  return statusOf(context.ledger, context.config, { unmatched, health }, workspace);
}
