import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Fault } from '../domain/environment/fault.js';
import type { Gate } from '../domain/environment/gate.js';
import type { Outcome } from '../domain/outcome.js';
import { failpoint } from '../domain/process/failpoint.js';
import { classify, classifyFailure } from './answers/classify.js';
import { faultReason, placedFault } from './answers/fault-words.js';
import { isSuccess, parseJson, readResponse } from './answers/response.js';
import { createHttp, type Http, type HttpFailure, type HttpResponse } from './http.js';

/** A token, or the outcome of the failed request: stop, throttled or transient. */
export type TokenResult = { readonly token: string } | { readonly outcome: Outcome };

/** Tokens of one environment, one for each scope. They are requested when needed and kept in memory alone. */
export type TokenSource = ReturnType<typeof createTokenSource>;

interface TokenSourceOptions {
  readonly environment: EnvironmentConfig;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** The connections, which the source closes; given only where the network is simulated. */
  readonly http?: Http;
}

/** How long before its end a long-lived token is renewed: enough for the requests that are under way with it. */
const EARLY_MS = 60_000;

/**
 * A source of tokens by client credentials. The specification shows path and host (§4.3), but neither grant type nor
 * parameters: these are the publicly known ones. No reason holds the secret, the token or the host's reply.
 */
export function createTokenSource(options: TokenSourceOptions) {
  const { environment, gate, clock, signal } = options;
  const { clientSecret } = environment;
  if (clientSecret === undefined) throw new Error('an environment reached the platform without its secret');
  // Tokens are requested every half hour or less often: a connection kept open for that would be stale.
  const http = options.http ?? createHttp(clock, false, environment);
  const url = `${environment.authUrl.replace(/(?<!\/)\/+$/, '')}/oauth/token`;
  const tokens = new Map<string, { readonly token: string; readonly renewAtMs: number }>();
  const underWay = new Map<string, Promise<TokenResult>>();

  return {
    close: () => http.close(),
    /** To be called after a 401 with this token: the source doesn't return the token again. */
    refuse(token: string) {
      for (const [scope, cached] of tokens) {
        if (cached.token === token) tokens.delete(scope);
      }
    },
    /**
     * A token that stays valid for a while. Callers at the same time share one request. Failures are not remembered: the next
     * call requests a token again.
     */
    get(scope: string) {
      const cached = tokens.get(scope);
      if (cached && clock.monotonicMs() < cached.renewAtMs) return Promise.resolve({ token: cached.token });
      const pending = underWay.get(scope);
      if (pending) return pending;
      const asking = ask(scope).finally(() => underWay.delete(scope));
      underWay.set(scope, asking);
      return asking;
    },
  };

  async function ask(scope: string): Promise<TokenResult> {
    const permit = await gate.acquire('token', environment.deadlineMs, signal);
    if (permit === null) return { outcome: transient('cancelled before a token was requested') };
    failpoint('token-permit-taken');
    const startedMs = clock.monotonicMs();
    const result = await http.exchange(tokenRequest(scope), {
      deadlineMs: environment.deadlineMs,
      mayLeave: permit.mayLeave,
      signal,
    });
    failpoint('token-received');
    if (result.response === null) {
      if (result.failure.sent) await permit.lost();
      else await permit.unused();
      return { outcome: failureOutcome(result.failure, environment) };
    }
    const granted = readGrant(result.response);
    if (granted === null) {
      const outcome = refusalOutcome(result.response, scope);
      if (outcome.kind === 'throttled') await permit.throttled(outcome.retryAfterMs);
      else await permit.answered();
      return { outcome };
    }
    await permit.answered();
    const { token, lifetimeMs } = granted;
    // The later of two times: a tenth of a long life is hours, and a minute is more than all of a short life.
    const renewAtMs = startedMs + Math.max(lifetimeMs * 0.9, lifetimeMs - EARLY_MS);
    tokens.set(scope, { token, renewAtMs });
    return { token };
  }

  function tokenRequest(scope: string) {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: environment.clientId,
      client_secret: clientSecret ?? '',
      scope,
    });
    return {
      method: 'POST',
      url,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'registrar',
      },
      body: form.toString(),
    };
  }
}

/** The longest token, in characters: servers accept no more in all headers of a request together. */
const MAX_TOKEN = 16_384;

/** The token of a 2xx; null where it has none that a header could hold. */
function readGrant({ status, text }: HttpResponse) {
  const reply = isSuccess(status) ? (parseJson(text) as Record<string, unknown> | null | undefined) : null;
  const token = reply?.access_token;
  if (typeof token !== 'string' || token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token)) return null;
  return { token, lifetimeMs: tokenLifetimeMs(reply?.expires_in) };
}

function failureOutcome(failure: HttpFailure, environment: EnvironmentConfig): Outcome {
  const outcome = classifyFailure(failure);
  if (outcome.kind === 'stop') return outcome;
  const fault = 'fault' in outcome ? outcome.fault : undefined;
  const why = 'reason' in outcome ? outcome.reason : failure.code;
  if (fault === undefined) return transient(`the token host gives no token: ${why}`);
  return { ...transient(faultReason(placedFault(environment, 'token', fault))), fault };
}

/** The request wrote nothing, so that a passing fault never leaves doubt. The reply's text is never quoted. */
function refusalOutcome(response: HttpResponse, scope: string): Outcome {
  const { status } = response;
  const request = { method: 'POST', path: '/oauth/token', body: null } as const;
  const outcome = classify(request, readResponse(response, []), 'reject');
  if (outcome.kind === 'throttled') {
    const { code: _, ...throttled } = outcome;
    return { ...throttled, reason: 'the token host answers 429' };
  }
  if (outcome.kind === 'transient') {
    const fault = { code: 'server-error', message: `HTTP ${status}` } as const;
    const { retryAfterMs } = outcome;
    return { ...transient(`the token host answers ${status}`), retryAfterMs, fault };
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      ...stop(
        `the token host refuses the client id or secret, or the scope "${scope}" that the client id may not own (HTTP ${status})`,
        { code: 'credentials', message: `HTTP ${status} to a request for the scope ${scope}` },
      ),
      stops: 'operation',
    };
  }
  const answer = status < 300 ? `${status} without a token` : String(status);
  return stop(`the token host answers ${answer}; check authUrl`, {
    code: 'address',
    message: `HTTP ${answer}`,
  });
}

function transient(reason: string): Outcome & { kind: 'transient' } {
  return { kind: 'transient', reason, retryAfterMs: null, mayBeWritten: false };
}

function stop(reason: string, fault: Fault): Outcome & { kind: 'stop' } {
  return { kind: 'stop', reason, stops: 'environment', fault };
}

/** The shortest lifetime publicly seen, used where a reply names no possible lifetime. */
const ASSUMED_MS = 30 * 60_000;

const MAX_LIFETIME_S = 60 * 86_400;

/** The lifetime of a token by its `expires_in`: seconds, also as text, up to 60 days; else 30 minutes. */
export function tokenLifetimeMs(expiresIn: unknown): number {
  const isText = typeof expiresIn === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(expiresIn);
  const seconds = typeof expiresIn === 'number' || isText ? Number(expiresIn) : Number.NaN;
  return seconds >= 1 && seconds <= MAX_LIFETIME_S ? seconds * 1000 : ASSUMED_MS;
}
