import { createHash } from 'node:crypto';
import type { EnvironmentConfig } from '../config/schema.js';
import type { PlacedFault } from '../domain/environment/fault.js';
import type { Gate } from '../domain/environment/gate.js';
import type { Outcome } from '../domain/outcome.js';
import { keepCall } from '../ledger/attempts/calls.js';
import type { Ledger } from '../ledger/store/query.js';
import type { PlatformRequest } from '../platform/calls/platform-call.js';
import { createPlatformClient, type PlatformAnswer } from '../platform/client.js';
import { createTokenSource } from '../platform/token.js';
import { endPermitWith } from './end-permit-with.js';

/** A request by hand, with all that it needs. */
export interface CallRequest {
  readonly ledger: Ledger;
  readonly runId: number;
  readonly environment: string;
  readonly config: EnvironmentConfig;
  readonly gate: Gate;
  readonly request: PlatformRequest;
  readonly scope: string;
  readonly who: string;
  readonly signal: AbortSignal;
}

/** The result of a request by hand. Without a token no request left: then `answer` is null, and `host` is `token`. */
export interface CallResult {
  readonly answer: PlatformAnswer | null;
  readonly host: PlacedFault['host'];
  readonly outcome: Outcome | null;
}

/**
 * Sends one request that is about no row, with the same token, quota, redaction and audit as every other request. It is
 * never repeated.
 */
export async function call(given: CallRequest): Promise<CallResult> {
  const { ledger, runId, environment, config, gate, request, scope, who, signal } = given;
  const { clock } = ledger;
  const tokens = createTokenSource({ environment: config, gate, clock, signal });
  const client = createPlatformClient(config, clock);
  try {
    const got = await tokens.get(scope);
    if ('outcome' in got) return { answer: null, host: 'token', outcome: got.outcome };
    const permit = await gate.acquire('rerun', config.deadlineMs, signal);
    if (permit === null) return { answer: null, host: 'api', outcome: null };
    const { method, path, body } = request;
    const text = body === null ? null : JSON.stringify(body);
    const bodySha256 = text === null ? null : createHash('sha256').update(text).digest('hex');
    const facts = { environment, method, path, scope, bodySha256, who };
    const answer = await keepCall(ledger, runId, facts, async () => {
      const sent = await client.send(request, got.token, permit.mayLeave);
      await endPermitWith(permit, sent);
      return sent;
    });
    return { answer, host: 'api', outcome: answer.outcome };
  } finally {
    await Promise.all([tokens.close(), client.close()]);
  }
}
