import type { Config, EnvironmentConfig } from '../../config/schema.js';
import type { DeliveryEstimate } from '../../documents/run.js';
import { type Clock, msFromIso } from '../../domain/clock.js';
import { mapSeries } from '../../domain/process/series.js';
import { type WaitingDelivery, waitingDelivery } from '../../ledger/attempts/waiting-requests.js';
import type { Ledger } from '../../ledger/store/query.js';
import { deliveryEstimate, type EstimateFacts } from './delivery-estimate.js';
import { ALL_FREE } from './estimate.js';

type Waiting = Pick<EstimateFacts, 'environment' | 'settings' | 'delivery'>;

/**
 * How long a run takes to deliver to these environments what waits now, in their order. One that registrar.yaml doesn't have is
 * left out.
 * @param context its ledger is null where there has never been one.
 */
export async function estimatesOf(
  context: {
    readonly ledger: Ledger | null;
    readonly config: Pick<Config, 'environments'>;
    readonly clock: Clock;
  },
  environments: readonly string[],
): Promise<readonly DeliveryEstimate[]> {
  const { ledger, config, clock } = context;
  const waiting = (
    await mapSeries(environments, async (environment): Promise<Waiting[]> => {
      const settings = config.environments[environment];
      if (settings === undefined) return [];
      const delivery =
        ledger === null ? NOTHING : await waitingDelivery(ledger, environment, settings.clientId);
      return [{ environment, settings, delivery }];
    })
  ).flat();
  const nowMs = clock.nowMs();
  return mapSeries(waiting, async (work) =>
    deliveryEstimate({
      ...work,
      requestsBeside: requestsBeside(work, waiting),
      nowMs,
      // Rows keep the deadline that was the next when they came in, until they are delivered.
      deliverByMs: await nextDeliverBy(
        work.settings,
        Math.min(nowMs, work.delivery.since === null ? nowMs : msFromIso(work.delivery.since)),
      ),
    }),
  );
}

/** These environments, each with its estimate; one that registrar.yaml doesn't have is left out. */
export async function withEstimates<One extends { readonly environment: string }>(
  context: Parameters<typeof estimatesOf>[0],
  environments: readonly One[],
) {
  const names = environments.map(({ environment }) => environment);
  return (await estimatesOf(context, names)).flatMap((estimate) =>
    environments
      .filter(({ environment }) => environment === estimate.environment)
      .map((one) => ({ ...one, estimate })),
  );
}

const NOTHING: WaitingDelivery = { rows: 0, requests: 0, quota: ALL_FREE, isDown: false, since: null };

/** Environments of one client id take permits in turn: until one is done, each other one has sent as much, or all it has. */
function requestsBeside({ environment, settings, delivery }: Waiting, all: readonly Waiting[]): number {
  return all
    .filter((other) => other.environment !== environment && other.settings.clientId === settings.clientId)
    .filter((other) => !other.delivery.isDown)
    .reduce((sum, other) => sum + Math.min(other.delivery.requests, delivery.requests), 0);
}

/** In milliseconds since 1970; null where the environment has none. */
async function nextDeliverBy(
  { deliverBy, timeZone }: EnvironmentConfig,
  nowMs: number,
): Promise<number | null> {
  if (deliverBy === undefined || timeZone === undefined) return null;
  // Loading what knows zones takes as long as a run that finds nothing to do.
  const { nextTimeOfDay } = await import('../../normalise/time/zone/zone-offsets.js');
  return nextTimeOfDay(deliverBy, timeZone, nowMs);
}
