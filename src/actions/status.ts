import type { NextSlotMs } from '../report/status/schedule.js';
import { type Status, statusOf } from '../report/status/status.js';
import { findUntaken } from '../upkeep/find-untaken.js';
import type { ActionContext } from './context.js';
import { type HealthRequest, readHealth } from './health/read-health.js';

/** What a status is asked for. */
export interface StatusRequest extends HealthRequest {
  /** The folder to name in commands; null where commands are given in that folder. */
  readonly workspace: string | null;
  /** Finds when a line of the schedule is due next. */
  readonly nextSlotMs: NextSlotMs;
}

/**
 * Reads what waits and until when, what needs attention, whether all is healthy, the quota in use, and the last runs.
 */
export async function status(
  context: ActionContext,
  { workspace, nextSlotMs, ...request }: StatusRequest,
): Promise<Status> {
  const { ledger, config, paths, clock } = context;
  const { sources } = config;
  const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
  const health = await readHealth(context, request);
  return statusOf(ledger, config, { untaken, health }, workspace, nextSlotMs);
}
