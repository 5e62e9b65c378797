import type { AlertSituation, Silence, WatchedDelivery } from '../../alerts/rules/conditions.js';
import { oddSize } from '../../alerts/rules/drop-size.js';
import { msFromIso } from '../../domain/clock.js';
import { inTurn } from '../../domain/process/in-turn.js';
import { readWatched, type Watched } from '../../ledger/alerts/watched.js';
import { estimatesOf } from '../../report/status/estimates-of.js';
import type { ActionContext } from '../context.js';

/** All that decides alerts, and what only channels with `details` tell. */
export interface Situation extends AlertSituation {
  readonly watched: Watched;
}

/** Reads from the ledger and the settings how things stand. */
export async function situationOf({ ledger, config, clock }: ActionContext): Promise<Situation> {
  const { sources, environments, alerts } = config;
  const expecting = sources.filter(({ expect }) => expect !== undefined);
  const watched = await readWatched(ledger, {
    sources: expecting.map(({ name }) => name),
    channels: alerts.channels.map(({ name }) => name),
  });
  const nowMs = clock.nowMs();
  return {
    nowMs,
    settings: alerts,
    watched,
    setAside: watched.setAside,
    outages: watched.outages.filter(({ environment }) => environments[environment]),
    deliveries: await deliveriesOf({ ledger, config, clock }),
    silences: await inTurn(expecting, async (source) => silenceOf(source, watched, nowMs)),
  };
}

/** Only environments with a `deliverBy` can be late. */
async function deliveriesOf(context: Parameters<typeof estimatesOf>[0]): Promise<WatchedDelivery[]> {
  const timed = Object.entries(context.config.environments).filter(([, one]) => one.deliverBy !== undefined);
  if (timed.length === 0) return [];
  // Those that share a quota take permits in turn, so all of them are estimated.
  const estimates = await estimatesOf(context, Object.keys(context.config.environments));
  return estimates.flatMap(({ environment, rows, estimatedEnd, deliverBy }) =>
    deliverBy === null ? [] : [{ environment, rows, endsAt: estimatedEnd, deliverBy: deliverBy.at }],
  );
}

async function silenceOf(
  { name, expect, timeZone }: ActionContext['config']['sources'][number],
  watched: Watched,
  nowMs: number,
): Promise<Silence> {
  const drops = watched.drops.find(({ source }) => source === name);
  if (expect === undefined || drops === undefined) return { source: name, missing: null, size: null };
  // It loads what knows zones.
  const { missingDrop } = await import('../../alerts/rules/expected-drop.js');
  const zone = expect.timeZone ?? timeZone ?? 'UTC';
  const arrivals = drops.arrivals.map(msFromIso);
  return {
    source: name,
    missing: missingDrop(expect, zone, arrivals, msFromIso(watched.since), nowMs),
    size: oddSize(drops.sizes, expect.times),
  };
}
