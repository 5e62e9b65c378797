import { type Firings, type Health, healthOf } from '../report/status/health.js';
import type { NextSlotMs } from '../report/status/schedule.js';
import { type Status, statusOf } from '../report/status/status.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import type { ActionContext } from './context.js';

/**
 * Reads what waits and until when, what needs a person, the quota in use, and the last runs.
 * @param workspace the folder to name in commands; null where commands are given in that folder.
 * @param nextSlotMs finds when a line of the schedule is due next.
 */
export async function status(
  { ledger, config, paths, clock }: ActionContext,
  { workspace, nextSlotMs }: { readonly workspace: string | null; readonly nextSlotMs: NextSlotMs },
): Promise<Status> {
  const { sources } = config;
  const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
  return statusOf(ledger, config, untaken, workspace, nextSlotMs);
}

/**
 * Reads whether work gets done.
 * @param firings counts how often the schedule was due between two times.
 */
export async function health(
  { ledger, config }: ActionContext,
  { firings }: { readonly firings: Firings },
): Promise<Health> {
  return healthOf(ledger, config, firings);
}
