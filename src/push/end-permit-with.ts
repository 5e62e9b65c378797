import type { Permit } from '../domain/environment/gate.js';
import type { PlatformAnswer } from '../platform/client.js';

/**
 * Ends a request's permit as its answer says.
 * @returns the most requests of this ledger that the platform can have counted when it answered; null where it didn't
 *   answer.
 */
export async function endPermitWith(permit: Permit, answer: PlatformAnswer): Promise<number | null> {
  if (answer.outcome.kind === 'throttled') return permit.throttled(answer.outcome.retryAfterMs);
  if (answer.response) return permit.answered();
  if (answer.failure.sent) await permit.lost();
  else await permit.unused();
  return null;
}
