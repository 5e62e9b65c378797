import type { Permit } from '../domain/gate.js';
import type { PlatformAnswer } from '../platform/client.js';

/** Tells the quota what became of the place that a request had. */
export function settlePermit(permit: Permit, answer: PlatformAnswer): void {
  if (answer.outcome.kind === 'throttled') permit.throttled(answer.outcome.retryAfterMs);
  else if (answer.response) permit.answered();
  else if (answer.failure.sent) permit.lost();
  else permit.unused();
}
