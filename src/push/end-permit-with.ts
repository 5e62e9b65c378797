import type { Permit } from '../domain/environment/gate.js';
import type { PlatformAnswer } from '../platform/client.js';

/**
 * Tells the quota what became of the permit that a request had.
 * @returns the most requests of this ledger that the platform can have counted when it answered; null when it didn't.
 */
export async function endPermitWith(permit: Permit, answer: PlatformAnswer): Promise<number | null> {
  if (answer.outcome.kind === 'throttled') return permit.throttled(answer.outcome.retryAfterMs);
  if (answer.response) return permit.answered();
  if (answer.failure.sent) await permit.lost();
  else await permit.unused();
  return null;
}
