import { durationMs } from '../config/values/duration.js';
import type { Notice } from '../domain/environment/notice.js';
import type { Outcome } from '../domain/outcome.js';
import { storeNotice } from '../ledger/attempts/notices.js';
import type { PushContext } from './push-context.js';

/**
 * Compares what an answer says about the quota with what was sent and what is configured, and records differences as
 * notices.
 * @param remaining requests left by the answer's headers; null where they don't say.
 * @param ours the most requests of this ledger that the platform can have counted.
 */
export async function watchQuota(
  context: PushContext,
  outcome: Outcome,
  remaining: number | null,
  ours: number,
): Promise<void> {
  await recordQuota(context, outcome);
  if (remaining === null) return;
  const { requests } = context.config.quota;
  const counted = requests - remaining;
  if (counted > ours) await recordNotice(context, { code: 'other-consumer', counted, ours, requests });
}

/** Records as a notice the quota that a 429 names, where it differs from the configured quota. */
export async function recordQuota(context: PushContext, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'throttled' || outcome.quota === null) return;
  const { requests, perMs } = context.config.quota;
  const saidMs = durationMs(outcome.quota.per);
  // A period in unknown words doesn't contradict the configured period.
  if (outcome.quota.requests === requests && (saidMs === perMs || Number.isNaN(saidMs))) return;
  await recordNotice(context, {
    code: 'quota-differs',
    platform: outcome.quota,
    configured: { requests, perMs },
  });
}

async function recordNotice(context: PushContext, notice: Notice): Promise<void> {
  const { ledger, runId, environment } = context;
  if (await storeNotice(ledger, runId, environment, notice))
    context.listen({ kind: 'noticed', environment, notice });
}
