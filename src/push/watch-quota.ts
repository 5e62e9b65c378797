import { durationMs } from '../config/values/duration.js';
import type { Notice } from '../domain/environment/notice.js';
import type { Outcome } from '../domain/outcome.js';
import { storeNotice } from '../ledger/attempts/notices.js';
import type { PushContext } from './push-context.js';

/**
 * Records as notices what an answer says about the quota that differs from what was sent or configured.
 * @param remaining requests left by the answer's headers; null where they don't say.
 * @param ours the most requests of this ledger that the platform can have counted.
 */
export async function watchQuota(
  context: PushContext,
  outcome: Outcome,
  remaining: number | null,
  ours: number,
): Promise<void> {
  const { requests, perMs } = context.config.quota;
  const quota = outcome.kind === 'throttled' ? outcome.quota : null;
  if (quota !== null) {
    const statedMs = durationMs(quota.per);
    // A period in unknown words doesn't contradict the configured period.
    const isSame = quota.requests === requests && (statedMs === perMs || Number.isNaN(statedMs));
    const configured = { requests, perMs };
    if (!isSame) await recordNotice(context, { code: 'quota-differs', platform: quota, configured });
  }
  const counted = requests - (remaining ?? requests);
  if (counted > ours) await recordNotice(context, { code: 'other-consumer', counted, ours, requests });
}

async function recordNotice(context: PushContext, notice: Notice): Promise<void> {
  const { ledger, runId, environment } = context;
  if (await storeNotice(ledger, runId, environment, notice))
    context.listen({ kind: 'noticed', environment, notice });
}
