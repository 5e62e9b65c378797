import type { Fault, PlacedFault } from '../domain/environment/fault.js';
import type { Outcome } from '../domain/outcome.js';
import type { OutageCause } from '../ledger/attempts/outages.js';
import { placedFault } from '../platform/answers/fault-words.js';
import { circuitBreaker } from './circuit-breaker.js';
import type { PushContext } from './push-context.js';
import { silence } from './silence.js';

/** The state of an environment during a push, by the answers to its requests. */
export interface EnvironmentHealth {
  readonly breaker: ReturnType<typeof circuitBreaker>;
  readonly silence: ReturnType<typeof silence>;
  /** True once nothing more can be delivered. */
  isUnavailable(): boolean;
  /** Operations that can't be delivered: the client id lacks their scope. */
  refused(): readonly string[];
  /**
   * True where another request may begin: one at a time while the environment is down or silent, else as many as may be in
   * flight.
   */
  hasRoom(underWay: number): boolean;
  /**
   * To be called with each token that the token host gives. False where the platform has refused this token before: the
   * host has no other, and nothing more can be delivered.
   */
  gotToken(token: string): boolean;
  /** True while requests may be sent with the token: the answer to another request may have ended that. */
  mayUse(token: string): boolean;
  /** @param token the token of the request; null for a request for the token that the operation needs. */
  met(outcome: Outcome, operation: string, token: string | null): void;
  /**
   * To be called when all rows must wait this long. If that is longer than the run may wait in an outage, nothing more can
   * be delivered.
   * @param fault the reason, where no fault has been met.
   */
  waits(waitMs: number, fault: Fault): void;
  /** What can't be used, and why: the environment as a whole, else its refused operations. */
  causes(): OutageCause[];
}

/** @param isDown the environment is known to be down. */
export function environmentHealth(context: PushContext, isDown: boolean): EnvironmentHealth {
  const { clock, config, environment } = context;
  const breaker = circuitBreaker(clock, isDown);
  const silent = silence(clock);
  /** Tokens that were refused since the last sound answer: a second refused token means that the token is not the cause. */
  const refusedTokens = new Set<string>();
  const refused = new Map<string, PlacedFault>();
  /** True once a token was given: a later refusal by the token host is then about a scope. */
  let hadToken = false;
  /** Monotonic time of the first 429 since the last other answer; null when the last answer was none. */
  let throttledSinceMs: number | null = null;
  /** The latest passing fault; null before the first. */
  let lastFault: PlacedFault | null = null;
  /** Why nothing more can be delivered; null while it can. */
  let unavailable: PlacedFault | null = null;

  return {
    breaker,
    silence: silent,
    isUnavailable: () => unavailable !== null,
    refused: () => [...refused.keys()],
    hasRoom(underWay) {
      if (!breaker.isOpen()) return underWay < (silent.isSilent() ? 1 : config.inFlight);
      return underWay === 0 && breaker.probeInMs() === 0;
    },
    gotToken(token) {
      hadToken = true;
      const isNew = !refusedTokens.has(token);
      if (!isNew) giveUp('api', { code: 'token-refused', said: 'the token host gives it out again' });
      return isNew;
    },
    mayUse: (token) => unavailable === null && !refusedTokens.has(token),
    met(outcome, operation, token) {
      const host = token === null ? 'token' : 'api';
      if (outcome.kind === 'stop' && outcome.stops !== 'environment') {
        const fault = faultOf(outcome);
        if (outcome.stops === 'token' && token !== null) refuseToken(token, fault);
        else if (!refused.has(operation)) refused.set(operation, placedFault(config, host, fault));
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
          giveUpWhenThrottledOnly(host, outcome.reason);
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
    waits(waitMs, fault) {
      if (breaker.outageMs() + waitMs > config.outageMs)
        unavailable ??= lastFault ?? placedFault(config, 'api', fault);
    },
    causes() {
      // A run that ends before the outage is long enough reports it all the same.
      return causesOf(unavailable ?? (breaker.isOpen() ? lastFault : null), refused, hadToken);
    },
  };

  function paused(reason: string, forMs: number): void {
    context.listen({ kind: 'paused', environment, reason, forMs });
  }

  function giveUp(host: PlacedFault['host'], fault: Fault): void {
    unavailable ??= placedFault(config, host, fault);
  }

  /** Has one new token requested; when that is refused too, the token is not the cause. */
  function refuseToken(token: string, fault: Fault): void {
    context.tokens.refuse(token);
    refusedTokens.add(token);
    if (refusedTokens.size > 1) giveUp('api', fault);
  }

  /** A platform that answers nothing but 429, pause after pause, is as good as down. */
  function giveUpWhenThrottledOnly(host: PlacedFault['host'], text: string): void {
    const now = clock.monotonicMs();
    throttledSinceMs ??= now;
    if (now - throttledSinceMs > Math.max(config.outageMs, 2 * config.quota.perMs))
      giveUp(host, { code: 'throttled', said: text });
  }
}

/** The fault of a stop; a stop without a fault keeps its own words. */
function faultOf({ fault, reason }: Outcome & { kind: 'stop' }): Fault {
  return fault ?? { code: 'refused', said: reason };
}

/** @param whole the fault of the environment as a whole; null: it has none. @param refused the fault of each operation that is refused. */
function causesOf(
  whole: PlacedFault | null,
  refused: ReadonlyMap<string, PlacedFault>,
  hadToken: boolean,
): OutageCause[] {
  const [first] = refused.values();
  const fault = whole ?? (hadToken ? undefined : first);
  if (fault !== undefined) return [{ operation: null, fault }];
  return [...refused].map(([operation, fault]) => ({
    operation,
    fault: { ...fault, code: fault.code === 'credentials' ? 'scope' : fault.code },
  }));
}
