import type { Fault, PlacedFault } from '../domain/environment/fault.js';
import type { Outcome } from '../domain/outcome.js';
import { placedFault } from '../platform/answers/fault-words.js';
import { circuitBreaker } from './circuit-breaker.js';
import type { PushContext } from './push-context.js';
import { stallDetector } from './stall-detector.js';

/** The state of an environment during a push, by the answers to its requests. */
export type EnvironmentHealth = ReturnType<typeof environmentHealth>;

/** @param isDown the environment is known to be down. */
export function environmentHealth(context: PushContext, isDown: boolean) {
  const { clock, config, environment } = context;
  const breaker = circuitBreaker(clock, isDown);
  const stalls = stallDetector(clock);
  /** Tokens that were refused since the last sound answer: a second refused token means that the token is not the cause. */
  const refusedTokens = new Set<string>();
  const refused = new Map<string, PlacedFault>();
  /** True once a token was given: a later refusal by the token host is then about a scope. */
  let hadToken = false;
  /** Monotonic time of the first 429 since the last other answer; null when the last answer was none. */
  let throttledSinceMs: number | null = null;
  let lastFault: PlacedFault | null = null;
  /** Why nothing more can be delivered; null while it can. */
  let unavailable: PlacedFault | null = null;
  const paused = (reason: string, forMs: number) =>
    context.listen({ kind: 'paused', environment, reason, forMs });

  return {
    breaker,
    stalls,
    isUnavailable: () => unavailable !== null,
    /** Operations that can't be delivered: the client id lacks their scope. */
    refused: () => [...refused.keys()],
    /** True where another request may begin: only one at a time while the environment is down or stalled. */
    hasRoom(underWay: number) {
      if (!breaker.isOpen()) return underWay < (stalls.isStalled() ? 1 : config.inFlight);
      return underWay === 0 && breaker.probeInMs() === 0;
    },
    /** Takes note of a token that the token host gave. False where the platform has refused it: the host has no other. */
    gotToken(token: string) {
      hadToken = true;
      const isNew = !refusedTokens.has(token);
      if (!isNew) giveUp('api', { code: 'token-refused', message: 'the token host gives it out again' });
      return isNew;
    },
    /** True while requests may be sent with the token: the answer to another request may have ended that. */
    mayUse: (token: string) => unavailable === null && !refusedTokens.has(token),
    /** @param token the token of the request; null for a request for the token that the operation needs. */
    met(outcome: Outcome, operation: string, token: string | null) {
      const host = token === null ? 'token' : 'api';
      if (outcome.kind === 'stop' && outcome.stops !== 'environment') {
        if (outcome.stops !== 'token' || token === null) {
          if (!refused.has(operation)) refused.set(operation, placedFault(config, host, faultOf(outcome)));
          return;
        }
        context.tokens.refuse(token);
        refusedTokens.add(token);
        // One new token is requested; when that is refused too, the token is not the cause.
        if (refusedTokens.size > 1) giveUp('api', faultOf(outcome));
        return;
      }
      if (outcome.kind !== 'throttled') throttledSinceMs = null;
      switch (outcome.kind) {
        case 'accepted':
        case 'rejected':
          breaker.worked();
          refusedTokens.clear();
          return;
        case 'throttled':
          paused(outcome.reason, outcome.retryAfterMs ?? config.quota.perMs);
          throttledSinceMs ??= clock.monotonicMs();
          // A platform that answers nothing but 429, pause after pause, is as good as down.
          if (clock.monotonicMs() - throttledSinceMs > Math.max(config.outageMs, 2 * config.quota.perMs))
            giveUp(host, { code: 'throttled', message: outcome.reason });
          return;
        case 'transient':
        case 'unknown':
          breaker.faulted(token === null, outcome.kind === 'transient' ? outcome.retryAfterMs : null);
          if (outcome.fault) lastFault = placedFault(config, host, outcome.fault);
          if (breaker.isOpen()) paused(outcome.reason, breaker.probeInMs());
          return;
        case 'stop':
          giveUp(host, faultOf(outcome));
      }
    },
    /** Ends the delivery where all rows must wait longer than an outage may last. @param fault the reason, if none was met. */
    waits(waitMs: number, fault: Fault) {
      if (breaker.outageMs() + waitMs > config.outageMs)
        unavailable ??= lastFault ?? placedFault(config, 'api', fault);
    },
    /** What can't be used, and why, also where the run ends before the outage is long enough. */
    causes: () => causesOf(unavailable ?? (breaker.isOpen() ? lastFault : null), refused, hadToken),
  };

  function giveUp(host: PlacedFault['host'], fault: Fault): void {
    unavailable ??= placedFault(config, host, fault);
  }
}

function faultOf({ fault, reason }: Outcome & { kind: 'stop' }): Fault {
  return fault ?? { code: 'refused', message: reason };
}

/** @param whole the fault of the environment as a whole; null: it has none. */
function causesOf(whole: PlacedFault | null, refused: ReadonlyMap<string, PlacedFault>, hadToken: boolean) {
  const [first] = refused.values();
  const fault = whole ?? (hadToken ? undefined : first);
  if (fault !== undefined) return [{ operation: null, fault }];
  return [...refused].map(([operation, { code, ...refusal }]) => ({
    operation,
    fault: { ...refusal, code: code === 'credentials' ? ('scope' as const) : code },
  }));
}
