import type { Fault, PlacedFault } from '../domain/environment/fault.js';
import type { Outcome } from '../domain/outcome.js';
import type { OutageCause } from '../ledger/attempts/outages.js';
import { placedFault } from '../platform/answers/fault-words.js';
import { type CircuitBreaker, circuitBreaker } from './circuit-breaker.js';
import type { PushContext } from './push-context.js';
import { type Silence, silence } from './silence.js';

/** What the requests to one environment have shown of it while it is pushed to. */
export interface EnvironmentHealth {
  readonly breaker: CircuitBreaker;
  readonly silence: Silence;
  /** Nothing more can be delivered. */
  isUnavailable(): boolean;
  /** Operations that can't be delivered: the client id lacks their scope. */
  refused(): readonly string[];
  /** While it is not working or says nothing, one request at a time; otherwise as many as may be in flight. */
  hasRoom(underWay: number): boolean;
  /** A token was had. False where it has been refused before: then there is no other, and nothing more can be delivered. */
  gotToken(token: string): boolean;
  /** Whether a request may still be sent with the token: the answer to another one may have said otherwise meanwhile. */
  mayUse(token: string): boolean;
  /** @param token with which the request was sent; null: it was one for a token, which the operation needs. */
  met(outcome: Outcome, operation: string, token: string | null): void;
  /**
   * Nothing is left to do for so long but to wait; when that is longer than a run may, nothing more can be delivered.
   * @param fault why, where no fault has been met.
   */
  waits(waitMs: number, fault: Fault): void;
  /** What can't be used, and why: the environment as a whole, else those of its operations that are refused. */
  causes(): OutageCause[];
}

/** @param isDown it is known already that the environment has stopped working. */
export function environmentHealth(context: PushContext, isDown: boolean): EnvironmentHealth {
  const { clock, config, environment } = context;
  const breaker = circuitBreaker(clock, isDown);
  const silent = silence(clock);
  /** Tokens that were refused since the last sound answer: a second one means it isn't the token. */
  const refusedTokens = new Set<string>();
  const refused = new Map<string, PlacedFault>();
  /** Where another token is refused, it is for its scope. */
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
      // A run that is over before its patience is has found no less.
      return causesOf(unavailable ?? (breaker.isOpen() ? lastFault : null), refused, hadToken);
    },
  };

  function paused(reason: string, forMs: number): void {
    context.listen({ kind: 'paused', environment, reason, forMs });
  }

  function giveUp(host: PlacedFault['host'], fault: Fault): void {
    unavailable ??= placedFault(config, host, fault);
  }

  /** One new token may mend it; when that is refused as well, it is not the token. */
  function refuseToken(token: string, fault: Fault): void {
    context.tokens.refuse(token);
    refusedTokens.add(token);
    if (refusedTokens.size > 1) giveUp('api', fault);
  }

  /** A platform that answers nothing but 429, pause after pause, is as good as down. */
  function giveUpWhenThrottledOnly(host: PlacedFault['host'], said: string): void {
    const now = clock.monotonicMs();
    throttledSinceMs ??= now;
    if (now - throttledSinceMs > Math.max(config.outageMs, 2 * config.quota.perMs))
      giveUp(host, { code: 'throttled', said });
  }
}

/** What no rule knows keeps its own words. */
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
