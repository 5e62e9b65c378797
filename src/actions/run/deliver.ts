import type { EnvironmentConfig } from '../../config/schema.js';
import type { PushListener } from '../../push/push-context.js';
import type { PushResult } from '../../push/push-environment.js';
import { estimatesOf } from '../../report/status/delivery-estimate.js';
import { markerUpdater } from '../../upkeep/expected-ledger.js';
import { finishDecisions } from '../decision/finish.js';
import type { RunContext } from './run-lifecycle.js';
import { environmentsOf } from './select-sources.js';

/**
 * The second step of a run: sends the rows that wait, to all environments side by side; one that is down never stops another.
 * @returns the result of each push, by the environment's name.
 */
export async function deliver(run: RunContext): Promise<Record<string, PushResult>> {
  const { context, request, listener, owner, runId, chosen, stop, noteFinished } = run;
  if (!request.push) return {};
  // A process that was in the way of a decision when the run began may have died since: a person to be forgotten must not
  // be sent.
  await finishDecisions(context, runId, noteFinished);
  const { ledger, clock, config, paths } = context;
  const chosenNames = chosen?.environments ?? request.environments;
  const names = chosenNames ?? (await environmentsOf(ledger, config, request.sources));
  const environments = names.filter(
    (name) => config.environments[name]?.paused === undefined && config.environments[name],
  );
  if (chosen === null && !stop.aborted) {
    const estimates = await estimatesOf(context, environments);
    for (const estimate of estimates) if (estimate.rows > 0) listener.onEstimate(estimate);
  }
  const keep = markerUpdater(ledger, paths);
  const listen: PushListener = (event) => {
    keep();
    listener.onPush(event);
  };
  // Only a run that pushes needs the network code: loading it takes as long as staging a small file.
  const { pushTo } = await import('../../push/push-environment.js');
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
