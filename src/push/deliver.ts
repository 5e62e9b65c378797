import { failpoint } from '../domain/failpoint.js';
import type { Fault, PlacedFault } from '../domain/fault.js';
import type { Permit } from '../domain/gate.js';
import type { Outcome } from '../domain/outcome.js';
import { recordAnswer } from '../ledger/attempts/answers.js';
import type { Lease } from '../ledger/leases/leases.js';
import type { Claim } from '../ledger/submissions/claims.js';
import { operationNamed } from '../operations/registry.js';
import { placedFault } from '../platform/fault-words.js';
import { alteredBy } from './altered-by.js';
import { answerPolicy } from './answer-policy.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { PushContext } from './push-context.js';
import { settlePermit } from './settle-permit.js';
import type { Silence } from './silence.js';
import { noteQuota, watchQuota } from './watch-quota.js';

/** What the deliveries to one environment have in common while it is pushed to. */
export interface EnvironmentHealth {
  readonly breaker: CircuitBreaker;
  readonly silence: Silence;
  /** Tokens that came back with 401 since the last sound answer: a second one means it isn't the token. */
  readonly refusedTokens: Set<string>;
  /** Monotonic time of the first 429 since the last other answer; null when the last answer was none. */
  throttledSinceMs: number | null;
  /** Why nothing more can be delivered; null while it can. */
  unavailable: PlacedFault | null;
  /** Operations that can't be delivered, each with why: the client id lacks their scope. */
  readonly refused: Map<string, PlacedFault>;
  /** The latest passing fault; null before the first. */
  lastFault: PlacedFault | null;
  /** A token was had: where another is refused, it is for its scope. */
  hadToken: boolean;
}

/** Claimed submissions with all that their request needs. */
export interface Delivery {
  readonly claimed: Claim;
  readonly lease: Lease;
  readonly token: string;
  readonly permit: Permit;
}

/** Sends what was claimed, keeps the answer, and draws the consequences for the environment. */
export async function deliver(
  context: PushContext,
  health: EnvironmentHealth,
  { claimed, lease, token, permit }: Delivery,
): Promise<void> {
  const operation = operationNamed(claimed.operation);
  const [first, ...others] = claimed.submissions;
  const revive = claimed.revives ? operation.revive : undefined;
  const request =
    revive?.(first.record, context.config) ??
    operation.request([first.record, ...others.map(({ record }) => record)], context.config);
  // A process that was stopped since the claim may have a successor, which counts these rows as perhaps sent.
  const mayLeave = () => permit.mayLeave() && context.clock.monotonicMs() < lease.fence.untilMs;
  health.silence.began();
  const answer = await context.client.send(request, token, mayLeave);
  failpoint('answer-received');
  const neverSent = answer.failure?.sent === false;
  if (answer.response) health.silence.answered(answer.durationMs);
  else health.silence.givenUp(!neverSent);
  const ours = await settlePermit(permit, answer);
  if (answer.response && ours !== null)
    await watchQuota(context, answer.outcome, answer.response.headers, ours);
  failpoint('slot-answered');

  // A request that never left, or met a platform that may be down, says nothing about its row.
  const policy = answerPolicy(context.config, context.random, health.breaker.blamesRow() && !neverSent);
  const named = namedIn(claimed, answer.response?.error?.source ?? null);
  const mayFollow = context.config.exists === 'revive' && operation.revive !== undefined;
  const told = {
    ...answer,
    named,
    revival: revive ? ('done' as const) : mayFollow ? ('may-follow' as const) : undefined,
    alterations:
      answer.outcome.kind === 'accepted'
        ? alteredBy(claimed, context.config, answer.response?.body ?? null)
        : [],
  };
  const { settled, endsOutage } = await recordAnswer(
    context.ledger,
    claimed.attemptId,
    told,
    policy,
    context.runId,
  );
  failpoint('answer-recorded');
  for (const { submissionId, state, stops } of settled) {
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
  if (answer.outcome.kind === 'stop' && answer.outcome.stops === 'token') {
    refuseToken(context, health, token, answer.outcome);
  } else if (answer.outcome.kind === 'stop' && answer.outcome.stops === 'operation') {
    refuseOperation(health, claimed.operation, placedIn(context, 'api', answer.outcome));
  } else if (answer.failure?.code !== 'fenced' && answer.failure?.code !== 'misdirected') {
    await considerHealth(context, health, answer.outcome);
    if (endsOutage) context.listen({ kind: 'usable', environment: context.environment });
  }
}

/** The fault that a stop is, with its place; what no rule knows keeps its own words. */
export function placedIn(
  { config }: PushContext,
  host: PlacedFault['host'],
  { fault, reason }: { readonly fault?: Fault; readonly reason: string },
): PlacedFault {
  return placedFault(config, host, fault ?? { code: 'refused', said: reason });
}

/** Those of several submissions that a refusal's `source` names (specification §7). */
function namedIn({ operation, submissions }: Claim, source: string | null): ReadonlySet<number> {
  const { sharing } = operationNamed(operation);
  if (sharing === undefined || source === null) return new Set();
  return new Set(
    submissions
      .filter(({ record }, index) => sharing.isNamed(record, index, source))
      .map(({ submissionId }) => submissionId),
  );
}

/** What an outcome, of a delivery or of a token request, says about the environment as a whole. */
export async function considerHealth(
  context: PushContext,
  health: EnvironmentHealth,
  outcome: Outcome,
  ofToken = false,
): Promise<void> {
  if (outcome.kind !== 'throttled') health.throttledSinceMs = null;
  const host = ofToken ? 'token' : 'api';
  switch (outcome.kind) {
    case 'accepted':
    case 'rejected':
      health.breaker.worked();
      health.refusedTokens.clear();
      return;
    case 'throttled': {
      const forMs = outcome.retryAfterMs ?? context.config.quota.per;
      context.listen({ kind: 'paused', environment: context.environment, reason: outcome.reason, forMs });
      if (ofToken) await noteQuota(context, outcome);
      giveUpWhenThrottledOnly(context, health, host, outcome.reason);
      return;
    }
    case 'transient':
    case 'unknown': {
      health.breaker.faulted(ofToken, outcome.kind === 'transient' ? outcome.retryAfterMs : null);
      if (outcome.fault) health.lastFault = placedIn(context, host, outcome);
      const forMs = health.breaker.probeInMs();
      if (health.breaker.isOpen()) {
        context.listen({ kind: 'paused', environment: context.environment, reason: outcome.reason, forMs });
      }
      return;
    }
    case 'stop':
      health.unavailable ??= placedIn(context, host, outcome);
  }
}

/** A platform that answers nothing but 429, pause after pause, is as good as down. */
function giveUpWhenThrottledOnly(
  context: PushContext,
  health: EnvironmentHealth,
  host: PlacedFault['host'],
  said: string,
): void {
  const now = context.clock.monotonicMs();
  health.throttledSinceMs ??= now;
  const { outage, quota } = context.config;
  if (now - health.throttledSinceMs > Math.max(outage, 2 * quota.per)) {
    health.unavailable ??= placedFault(context.config, host, { code: 'throttled', said });
  }
}

/** Others may be had. */
export function refuseOperation(health: EnvironmentHealth, name: string, fault: PlacedFault): void {
  if (!health.refused.has(name)) health.refused.set(name, fault);
}

/** One new token may mend a 401; when that is refused as well, it is not the token. */
function refuseToken(
  context: PushContext,
  health: EnvironmentHealth,
  token: string,
  outcome: { readonly fault?: Fault; readonly reason: string },
): void {
  context.tokens.refuse(token);
  health.refusedTokens.add(token);
  if (health.refusedTokens.size > 1) health.unavailable ??= placedIn(context, 'api', outcome);
}
