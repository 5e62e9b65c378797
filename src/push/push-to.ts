import type { EnvironmentConfig } from '../config/schema.js';
import type { Gate } from '../domain/environment/gate.js';
import { createPlatformClient } from '../platform/client.js';
import { createTokenSource } from '../platform/token.js';
import { ledgerGate } from './ledger-gate.js';
import type { PushContext } from './push-context.js';
import { type PushResult, pushEnvironment } from './push-environment.js';

/** Pushes to an environment over the network, with a client and tokens of its own. */
export async function pushTo(
  environment: string,
  config: EnvironmentConfig,
  context: Omit<PushContext, 'environment' | 'config' | 'gate' | 'client' | 'tokens'>,
): Promise<PushResult> {
  const gate: Gate = ledgerGate(context.ledger, config, context.clock, environment);
  const client = createPlatformClient(config, context.clock);
  const tokens = createTokenSource({ environment: config, gate, clock: context.clock, signal: context.stop });
  try {
    return await pushEnvironment({ ...context, environment, config, gate, client, tokens });
  } finally {
    await client.close();
    await tokens.close();
  }
}
