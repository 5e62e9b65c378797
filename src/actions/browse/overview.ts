import { isoFromMs } from '../../domain/clock.js';
import { readState } from '../../ledger/books/state/read-state.js';
import { OVERVIEW_PARTS, overviewOf } from '../../report/status/overview.js';
import { environmentsOf } from '../../report/status/status.js';
import { findAllUntaken } from '../../upkeep/find-untaken.js';
import type { ActionContext } from '../context.js';
import { readHealth } from '../health/read-health.js';

const DAY_MS = 86_400_000;

/**
 * Reads how things stand: whether the books balance, what is waiting and until when, what needs attention, the quota in use,
 * requests over the last day, the last runs, outages, alerts and jobs. Personal.
 */
export async function overview(context: ActionContext) {
  const { ledger, config, clock } = context;
  const since = isoFromMs(clock.nowMs() - DAY_MS);
  const facts = await readState(ledger, OVERVIEW_PARTS, { environments: environmentsOf(config), since });
  const untaken = await findAllUntaken(context);
  const health = await readHealth(context, untaken);
  return { ...(await overviewOf(context, facts, { health, untaken })), untaken };
}
