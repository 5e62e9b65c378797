import type { EnvironmentConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import type { Gate } from '../../domain/environment/gate.js';
import { faultReason, faultRemedy, placedFault } from '../../platform/answers/fault-words.js';
import { createPlatformClient, isElsewhere, PROBE } from '../../platform/client.js';
import { createHttp } from '../../platform/http.js';
import { networkFault } from '../../platform/network-fault.js';
import { type Finding, findings } from './finding.js';

const connection = findings('connection', 'unavailable');

/**
 * Checks whether the host of `baseUrl` accepts a connection, TLS and proxy included. No request leaves, so none counts in
 * the quota and none can have an effect.
 */
export async function checkConnection(
  name: string,
  environment: EnvironmentConfig,
  clock: Clock,
  interrupt: AbortSignal,
): Promise<Finding> {
  const http = createHttp(clock, false, environment);
  try {
    const request = { method: 'GET', url: environment.baseUrl, headers: {}, body: null };
    const bounds = { deadlineMs: environment.deadlineMs, mayLeave: () => false, signal: interrupt };
    const { failure } = await http.exchange(request, bounds);
    const fault = failure === null ? null : networkFault(failure);
    if (fault === null) return connection.ok(name, `can be reached (${environment.baseUrl})`);
    const placed = placedFault(environment, 'api', fault);
    return connection.broken(name, faultReason(placed), `${faultRemedy(name, placed)} Rows wait meanwhile.`);
  } finally {
    await http.close();
  }
}

/**
 * Sends one read within the quota, and returns a finding where `baseUrl` is not the address of the API. null: it is, or the
 * answer can't show it, as 429, 5xx or none can't.
 */
export async function checkBaseUrl(
  name: string,
  environment: EnvironmentConfig,
  token: string,
  { clock, gate, signal }: { readonly clock: Clock; readonly gate: Gate; readonly signal: AbortSignal },
): Promise<Finding | null> {
  const permit = await gate.acquire('rerun', environment.deadlineMs, signal);
  if (permit === null) return null;
  const client = createPlatformClient(environment, clock);
  signal.addEventListener('abort', () => void client.close(), { once: true });
  try {
    const answer = await client.send(PROBE, token, permit.mayLeave);
    const { outcome, response, failure } = answer;
    if (failure !== null) await (failure.sent ? permit.lost() : permit.unused());
    else if (outcome.kind === 'throttled') await permit.throttled(outcome.retryAfterMs);
    else await permit.answered();
    if (!isElsewhere(answer)) return null;
    const summary = `HTTP ${response?.status} to ${PROBE.method} ${PROBE.path}`;
    const placed = placedFault(environment, 'api', { code: 'address', said: summary });
    return connection.broken(name, faultReason(placed), `${faultRemedy(name, placed)} Rows wait meanwhile.`);
  } finally {
    await client.close();
  }
}
