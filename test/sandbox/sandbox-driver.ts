import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/answer.js';
import {
  createSandboxPlatform,
  type SandboxOptions,
  type SandboxPlatform,
} from '../../src/sandbox/platform.js';

/** 2025-03-01T08:00:00Z, a moment to begin at. */
export const START_MS = 1_740_816_000_000;

export const ATTRIBUTES = {
  'user-id': 'ada@example.org',
  'user-identifier-type': 'Email',
  'content-id': 'SAFETY-1',
  'content-id-type': 'ExternalId',
  'content-type': 'course',
  'completed-at': '2025-02-28T16:30:00.000Z',
  percentile: 92.5,
};

/** A platform with a token and a clock of its own; each call says only what matters to its test. */
export interface Driver {
  readonly platform: SandboxPlatform;
  nowMs: number;
  token: string;
  send(request: Partial<SandboxRequest>): SandboxAnswer;
  complete(attributes?: Record<string, unknown>, headers?: Record<string, string>): SandboxAnswer;
  askToken(form?: Record<string, string>): SandboxAnswer;
}

export function drive(options: SandboxOptions = {}): Driver {
  const platform = createSandboxPlatform({ countTokenRequests: false, ...options });
  const driver: Driver = {
    platform,
    nowMs: START_MS,
    token: '',
    send: (request) =>
      platform.handle(
        {
          method: 'POST',
          path: '/api/v2/completions',
          body: null,
          ...request,
          headers: {
            authorization: `Bearer ${driver.token}`,
            'content-type': 'application/json',
            ...request.headers,
          },
        },
        driver.nowMs,
      ),
    complete: (attributes = {}, headers = {}) =>
      driver.send({ headers, body: completionBody({ ...ATTRIBUTES, ...attributes }) }),
    askToken: (form = {}) =>
      platform.handle(
        {
          method: 'POST',
          path: '/oauth/token',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ ...TOKEN_FORM, ...form }).toString(),
        },
        driver.nowMs,
      ),
  };
  driver.token = String(json(driver.askToken()).access_token);
  return driver;
}

export function completionBody(attributes: Record<string, unknown>): string {
  return JSON.stringify({ data: { type: 'completions', attributes } });
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what a test finds out
export function json(answer: SandboxAnswer): any {
  return JSON.parse(answer.body ?? 'null');
}

/** The one entry of an answer in the error format. */
export function refusal(answer: SandboxAnswer): Record<string, unknown> {
  const { errors } = json(answer);
  if (!Array.isArray(errors) || errors.length !== 1) throw new Error(`no single error in ${answer.body}`);
  return errors[0];
}

const TOKEN_FORM = {
  grant_type: 'client_credentials',
  client_id: 'sandbox-client',
  client_secret: 'sandbox-secret',
  scope: 'completions:write,content:write',
};
