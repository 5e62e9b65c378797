import type { EnvironmentConfig } from '../../config/schema.js';
import type { Clock } from '../../domain/clock.js';
import { faultReason, faultRemedy, placedFault } from '../../platform/answers/fault-words.js';
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
