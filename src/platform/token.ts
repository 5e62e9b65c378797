import type { EnvironmentConfig } from '../config/schema.js';
import type { Clock } from '../domain/clock.js';
import type { Fault } from '../domain/environment/fault.js';
import type { Gate } from '../domain/environment/gate.js';
import type { Outcome } from '../domain/outcome.js';
import { failpoint } from '../domain/process/failpoint.js';
import { classify, classifyFailure } from './answers/classify.js';
import { faultReason, placedFault } from './answers/fault-words.js';
import { parseJson, readResponse } from './answers/response.js';
import { createHttp, type Http, type HttpFailure, type HttpResponse } from './http.js';

/** A token, or what it means that there is none: stop, throttled or transient. */
export type TokenResult = { readonly token: string } | { readonly outcome: Outcome };

/** Tokens of one environment, asked for when needed and kept in memory alone, one for each scope. */
export interface TokenSource {
  /**
   * A token that is good for some while yet. Callers at the same time share one request. No failure is remembered:
   * the next call asks again. @param scope one scope, or several separated by blanks or commas.
   */
  get(scope: string): Promise<TokenResult>;
  /** A 401 came with this token: it isn't given out again. */
  refuse(token: string): void;
  close(): Promise<void>;
}

export interface TokenSourceOptions {
  readonly environment: EnvironmentConfig;
  /** Token requests count in the quota of the client id. */
  readonly gate: Gate;
  readonly clock: Clock;
  /** Aborted when nothing more is to be asked for. */
  readonly signal?: AbortSignal | undefined;
  /** The way out, which the source closes; absent: the network. Another one only where that is simulated. */
  readonly http?: Http;
}

/** Before the end of a long-lived token, time enough for the requests that are on their way with it. */
const EARLY_MS = 60_000;

/**
 * Tokens by client credentials. Path and host are the specification's (§4.3); grant type and parameters aren't shown
 * there, these are the publicly known ones. Neither secret nor token nor the host's reply goes into any reason.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource {
  const { environment, gate, clock, signal } = options;
  const { clientSecret } = environment;
  if (clientSecret === undefined) throw new Error('an environment reached the platform without its secret');
  // Asked for every half hour or less: a connection kept for that would be stale.
  const http = options.http ?? createHttp(clock, false, environment);
  const url = `${environment.authUrl.replace(/(?<!\/)\/+$/, '')}/oauth/token`;
  const tokens = new Map<string, { readonly token: string; readonly renewAtMs: number }>();
  const underWay = new Map<string, Promise<TokenResult>>();

  return {
    close: () => http.close(),
    refuse(token) {
      for (const [scope, kept] of tokens) {
        if (kept.token === token) tokens.delete(scope);
      }
    },
    get(scope) {
      const kept = tokens.get(scope);
      if (kept && clock.monotonicMs() < kept.renewAtMs) return Promise.resolve({ token: kept.token });
      const asked = underWay.get(scope);
      if (asked) return asked;
      const asking = ask(scope).finally(() => underWay.delete(scope));
      underWay.set(scope, asking);
      return asking;
    },
  };

  async function ask(scope: string): Promise<TokenResult> {
    const permit = await gate.acquire('token', environment.deadlineMs, signal);
    if (permit === null) return failed(transient('given up before a token was asked for'));
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
      return failed(failureOutcome(result.failure, environment));
    }
    const granted = readGrant(result.response);
    if (granted === null) {
      const outcome = refusalOutcome(result.response, scope, clock.nowMs());
      if (outcome.kind === 'throttled') await permit.throttled(outcome.retryAfterMs);
      else await permit.answered();
      return failed(outcome);
    }
    await permit.answered();
    const { token, lifetimeMs } = granted;
    // The later of the two: a tenth of a long life is hours, a minute more than all of a short one.
    const renewAtMs = startedMs + Math.max(lifetimeMs * 0.9, lifetimeMs - EARLY_MS);
    tokens.set(scope, { token, renewAtMs });
    return { token };
  }

  function tokenRequest(scope: string) {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: environment.clientId,
      client_secret: clientSecret ?? '',
      scope: scope.split(/[\s,]+/).join(environment.scopeSeparator),
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

/** Servers take so much in all of a request's headers. */
const LONGEST_TOKEN = 16_384;

/** The token of a 2xx; null when there is none that could stand in a header. */
function readGrant(response: HttpResponse): { token: string; lifetimeMs: number } | null {
  if (response.status < 200 || response.status > 299) return null;
  const reply = parseJson(response.text) as
    | { access_token?: unknown; expires_in?: unknown }
    | null
    | undefined;
  const token = reply?.access_token;
  if (typeof token !== 'string' || token.length > LONGEST_TOKEN || !/^[\x21-\x7e]+$/.test(token)) return null;
  return { token, lifetimeMs: tokenLifetimeMs(reply?.expires_in) };
}

function failureOutcome(failure: HttpFailure, environment: EnvironmentConfig): Outcome {
  const outcome = classifyFailure(failure);
  if (outcome.kind === 'stop') return outcome;
  const found = 'fault' in outcome ? outcome.fault : undefined;
  const why = 'reason' in outcome ? outcome.reason : failure.code;
  if (found === undefined) return transient(`the token host gives no token: ${why}`);
  return { ...transient(faultReason(placedFault(environment, 'token', found))), fault: found };
}

/** A token request writes nothing, so a fault that passes is never in doubt; and the reply's text is never repeated. */
function refusalOutcome(response: HttpResponse, scope: string, receivedAtMs: number): Outcome {
  const { status } = response;
  const request = { method: 'POST', path: '/oauth/token', body: null } as const;
  const outcome = classify(
    { request, response: readResponse(response, []), receivedAtMs },
    { exists: 'reject' },
  );
  if (outcome.kind === 'throttled') {
    const { retryAfterMs, quota } = outcome;
    return { kind: 'throttled', reason: 'the token host answers 429', retryAfterMs, quota };
  }
  if (outcome.kind === 'transient') {
    const fault = { code: 'server-error', said: `HTTP ${status}` } as const;
    const { retryAfterMs } = outcome;
    return { ...transient(`the token host answers ${status}`), retryAfterMs, fault };
  }
  if (status < 300) {
    return stop(`the token host answers ${status} without a token; check authUrl`, {
      code: 'address',
      said: `HTTP ${status} without a token`,
    });
  }
  if (status === 400 || status === 401 || status === 403) {
    return {
      ...stop(
        `the token host refuses the client id or secret, or the scope "${scope}" that the client id may not own (HTTP ${status})`,
        { code: 'credentials', said: `HTTP ${status} to a request for the scope ${scope}` },
      ),
      stops: 'operation',
    };
  }
  return stop(`the token host answers ${status}; check authUrl`, {
    code: 'address',
    said: `HTTP ${status}`,
  });
}

function failed(outcome: Outcome): TokenResult {
  return { outcome };
}

function transient(reason: string): Outcome & { kind: 'transient' } {
  return { kind: 'transient', reason, retryAfterMs: null, mayBeWritten: false };
}

function stop(reason: string, fault: Fault): Outcome & { kind: 'stop' } {
  return { kind: 'stop', reason, stops: 'environment', fault };
}

/** The shortest lifetime publicly seen, for a reply that names none that can be. */
const ASSUMED_MS = 30 * 60_000;

const LONGEST_S = 60 * 86_400;

/**
 * How long a token lasts by its `expires_in`, in milliseconds: seconds as a number or as text, from one second to 60
 * days; 30 minutes for anything else.
 */
export function tokenLifetimeMs(expiresIn: unknown): number {
  const isText = typeof expiresIn === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(expiresIn);
  const seconds = typeof expiresIn === 'number' || isText ? Number(expiresIn) : Number.NaN;
  return seconds >= 1 && seconds <= LONGEST_S ? seconds * 1000 : ASSUMED_MS;
}
