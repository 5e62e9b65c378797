import type { Permit } from '../domain/environment/gate.js';
import { failpoint } from '../domain/process/failpoint.js';
import { recordAnswer } from '../ledger/attempts/answers.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Claim } from '../ledger/submissions/claims.js';
import { alteredTexts } from '../platform/answers/altered-texts.js';
import { requestsLeft } from '../platform/answers/limits.js';
import { callOf } from '../platform/calls/call-of.js';
import { isOwnAbort } from '../platform/network-fault.js';
import { answerPolicy } from './answer-policy.js';
import type { EnvironmentHealth } from './environment-health.js';
import type { PushContext } from './push-context.js';
import { watchQuota } from './watch-quota.js';

/** Sends the claimed submissions, records the answer, and draws the consequences for the environment. */
export async function deliver(
  context: PushContext,
  health: EnvironmentHealth,
  claimed: Claim,
  { lease, token, permit }: { readonly lease: Lease; readonly token: string; readonly permit: Permit },
): Promise<void> {
  const call = callOf(claimed.operation);
  const [first, ...others] = claimed.submissions;
  const revive = claimed.revives ? call.revive : undefined;
  const request =
    revive?.(first.record, context.config) ??
    call.request([first.record, ...others.map(({ record }) => record)], context.config);
  // If this process was stopped since the claim, a successor may have taken over and counts these rows as perhaps sent.
  const mayLeave = () => permit.mayLeave() && context.clock.monotonicMs() < lease.fence.untilMs;
  health.stalls.began();
  const answer = await context.client.send(request, token, mayLeave);
  failpoint('answer-received');
  const neverSent = answer.failure?.sent === false;
  if (answer.response) {
    health.stalls.answered(answer.durationMs);
    const ours = await (answer.outcome.kind === 'throttled'
      ? permit.throttled(answer.outcome.retryAfterMs)
      : permit.answered());
    await watchQuota(context, answer.outcome, requestsLeft(answer.response), ours);
  } else {
    health.stalls.abandoned(!neverSent);
    await (neverSent ? permit.unused() : permit.lost());
  }
  failpoint('permit-ended');

  // A request that never left, or met a platform that may be down, says nothing about its row.
  const policy = answerPolicy(context.config, context.random, health.breaker.blamesRow() && !neverSent);
  const named = namedIn(claimed, answer.response?.error?.source ?? null);
  const mayFollow = context.config.exists === 'revive' && call.revive !== undefined;
  const altered =
    answer.outcome.kind === 'accepted'
      ? alteredTexts(claimed.operation, context.config, first.record, answer.response?.body ?? null)
      : [];
  const settled = {
    ...answer,
    named,
    revival: revive ? ('done' as const) : mayFollow ? ('may-follow' as const) : undefined,
    alterations: altered.map((text) => ({ submissionId: first.submissionId, ...text })),
  };
  const { effects, endsOutage } = await recordAnswer(
    context.ledger,
    claimed.attemptId,
    settled,
    policy,
    context.runId,
    lease.name,
  );
  failpoint('answer-recorded');
  for (const { submissionId, state, stops } of effects) {
    context.listen({
      kind: 'answered',
      environment: context.environment,
      submissionId,
      outcome: answer.outcome.kind,
      reason: 'reason' in answer.outcome ? answer.outcome.reason : null,
      state,
    });
    if (stops !== null) context.listen({ kind: 'canary', environment: context.environment, ...stops });
  }
  // The request was cancelled on this side, which says nothing about the environment.
  if (isOwnAbort(answer.failure)) return;
  health.met(answer.outcome, claimed.operation, token);
  if (endsOutage) context.listen({ kind: 'usable', environment: context.environment });
}

/** The submissions of a shared request that the refusal's `source` names (specification §7). */
function namedIn({ operation, submissions }: Claim, source: string | null): ReadonlySet<number> {
  const { isNamed } = callOf(operation);
  if (isNamed === undefined || source === null) return new Set();
  return new Set(
    submissions
      .filter(({ record }, index) => isNamed(record, index, source))
      .map(({ submissionId }) => submissionId),
  );
}
