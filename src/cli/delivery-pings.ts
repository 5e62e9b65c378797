import type { PingConfig } from '../config/schema/monitor-schema.js';
import { deliveryName } from '../config/values/job-name.js';
import { type PingContext, type PingEnd, sendPings } from '../monitor/ping.js';

/** How often a change is looked for. */
const LOOK_MS = 5_000;

/** An unchanged state is sent this often: for days no row may wait. */
const AGAIN_MS = 300_000;

/** What deliveries are, as those see it who wait for pings. */
export interface Deliveries {
  pings(): readonly PingConfig[];
  environments(): readonly string[];
  /** `fail` where rows wait for one of these environments and aren't delivered. */
  endOf(environments: readonly string[]): Promise<Exclude<PingEnd, 'stopped'>>;
}

/**
 * Pings the jobs `deliver`, of all environments, and `deliver-ENVIRONMENT`: every five minutes, and as soon as it changes, whether what
 * waits is delivered. Until `stop` is aborted.
 */
export async function pingDeliveries(
  { pings, environments, endOf }: Deliveries,
  context: PingContext,
  stop: AbortSignal,
): Promise<void> {
  const told = new Map<string, { readonly end: PingEnd; readonly atMs: number }>();
  const ping = async (job: string, own: readonly string[]) => {
    if (!pings().some((ping) => ping.job === job)) return;
    const end = await endOf(own);
    const before = told.get(job);
    const nowMs = context.clock.monotonicMs();
    if (before?.end === end && nowMs - before.atMs < AGAIN_MS) return;
    told.set(job, { end, atMs: nowMs });
    await sendPings(pings(), job, end, context);
  };
  while (!stop.aborted) {
    const all = environments();
    await ping('deliver', all);
    for (const environment of all) await ping(deliveryName(environment), [environment]);
    await context.clock.sleep(LOOK_MS, stop);
  }
}
