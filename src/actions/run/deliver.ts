import type { EnvironmentConfig } from '../../config/schema.js';
import type { PushResult } from '../../push/push-environment.js';
import type { PushListener } from '../../push/push-event.js';
import { keepInStep } from '../../upkeep/expected-ledger.js';
import { finishDecisions } from '../decision/finish.js';
import type { RunUnderWay } from './envelope.js';
import { environmentsOf } from './select-sources.js';

/**
 * The second step of a run: what waits is sent. All environments side by side; one that is down or breaks never stops
 * another.
 * @returns how each ended, by name.
 */
export async function deliver(underWay: RunUnderWay): Promise<Record<string, PushResult>> {
  const { context, request, watch, owner, runId, chosen, stop, noteFinished } = underWay;
  if (!request.push) return {};
  // Whoever was in the way when the run began may have died since: nobody is sent whom it was to forget.
  await finishDecisions(context, runId, noteFinished);
  const { ledger, clock, config, paths } = context;
  const environments =
    chosen?.environments.filter((name) => config.environments[name]) ??
    (await environmentsOf(ledger, config, request.sources));
  const keep = keepInStep(ledger, paths);
  const listen: PushListener = (event) => {
    keep();
    watch.onPush(event);
  };
  // Only a run that pushes needs the network: loading it takes as long as staging a small file.
  const { pushTo } = await import('../../push/push-to.js');
  const chosenBy = chosen?.decisionId ?? null;
  const push = { ledger, clock, owner, runId, chosenBy, stop, random: Math.random, listen };
  const results = await Promise.allSettled(
    environments.map((name) => pushTo(name, config.environments[name] as EnvironmentConfig, push)),
  );
  return Object.fromEntries(
    results.map((result, index) => {
      if (result.status === 'rejected') throw result.reason;
      return [environments[index] ?? '', result.value];
    }),
  );
}
