import { isoFromMs } from '../../domain/clock.js';
import { readOverview } from '../../ledger/books/browse/read-overview.js';
import { overviewOf } from '../../report/status/overview.js';
import type { NextSlotMs } from '../../report/status/schedule.js';
import { environmentsOf } from '../../report/status/status.js';
import { findUntaken } from '../../upkeep/find-untaken.js';
import type { ActionContext } from '../context.js';
import { readHealth, type SlotsBetween } from '../health/read-health.js';

const DAY_MS = 86_400_000;

/**
 * Reads how things stand: whether the books balance, what waits and until when, what needs somebody, the quota in use, requests over
 * the last day, the last runs, outages, alerts and jobs.
 * @param asked nextSlotMs: finds when a line of the schedule is due next. isMasked: true where the reader may see no personal data.
 */
export async function overview(
  context: ActionContext,
  {
    nextSlotMs,
    slotsBetween,
    isMasked,
  }: { readonly nextSlotMs: NextSlotMs; readonly slotsBetween: SlotsBetween; readonly isMasked: boolean },
) {
  const { ledger, config, paths, clock } = context;
  const { sources } = config;
  const since = isoFromMs(clock.nowMs() - DAY_MS);
  const facts = await readOverview(ledger, environmentsOf(config), since);
  const untaken = await findUntaken({ paths, clock, sources, allSources: sources });
  const health = await readHealth(context, { env: null, slotsBetween });
  return { ...(await overviewOf(context, facts, { health, nextSlotMs, isMasked })), untaken };
}
