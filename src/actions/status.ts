import { type Firings, type Health, healthOf } from '../report/health.js';
import { type Status, statusOf } from '../report/status.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import type { ActionContext } from './context.js';

/**
 * What waits and until when, what needs a person, the quota in use, the last runs.
 * @param where what a command line needs after it to mean this workspace, as ` --workspace DIR`; '' where nothing is.
 */
export async function status(
  { ledger, config, paths, clock }: ActionContext,
  { where }: { readonly where: string },
): Promise<Status> {
  const { sources } = config;
  const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
  return statusOf(ledger, config, untaken, where);
}

/**
 * Whether work gets done.
 * @param firings counts how often the schedule was due between two times.
 */
export function health(
  { ledger, config }: ActionContext,
  { firings }: { readonly firings: Firings },
): Health {
  return healthOf(ledger, config, firings);
}
