import { durationMs } from '../config/values/duration.js';
import type { Notice } from '../domain/environment/notice.js';
import type { Outcome } from '../domain/outcome.js';
import { keepNotice } from '../ledger/attempts/notices.js';
import type { PushContext } from './push-context.js';

/**
 * Holds what an answer says about the quota against what was sent and what is configured, and notes what differs.
 * @param left requests that it says are left; null where it doesn't say.
 * @param ours the most requests of this ledger that it can count.
 */
export async function watchQuota(
  context: PushContext,
  outcome: Outcome,
  left: number | null,
  ours: number,
): Promise<void> {
  await noteQuota(context, outcome);
  if (left === null) return;
  const { requests } = context.config.quota;
  const counted = requests - left;
  if (counted > ours) await tellNotice(context, { code: 'other-consumer', counted, ours, requests });
}

/** Notes the quota that a 429 names where it is another than the configured one. */
export async function noteQuota(context: PushContext, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'throttled' || outcome.quota === null) return;
  const { requests, perMs } = context.config.quota;
  const saidMs = durationMs(outcome.quota.per);
  // A period in words that aren't known says nothing against the configured one.
  if (outcome.quota.requests === requests && (saidMs === perMs || Number.isNaN(saidMs))) return;
  await tellNotice(context, {
    code: 'quota-differs',
    platform: outcome.quota,
    configured: { requests, perMs },
  });
}

async function tellNotice(context: PushContext, notice: Notice): Promise<void> {
  const { ledger, runId, environment } = context;
  if (await keepNotice(ledger, runId, environment, notice))
    context.listen({ kind: 'noticed', environment, notice });
}
