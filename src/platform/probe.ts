import type { PlatformRequest } from './calls/platform-call.js';
import type { PlatformAnswer } from './client.js';

/** A read that shows whether `baseUrl` leads to the API; it writes nothing, whether or not the platform has it. */
export const PROBE: PlatformRequest = { method: 'GET', path: '/api/v2/completions', body: null };

/**
 * True where the answer to the probe is not the API's: 404, a redirect or a web page. The specification shows no read, so
 * that 405 is an answer of the API too, as 401 and 403 are.
 */
export function isElsewhere({ outcome, response }: PlatformAnswer): boolean {
  if (response === null || response.status === 405) return false;
  return response.status === 404 || (outcome.kind === 'stop' && outcome.fault?.code === 'address');
}
