import type { FaultKind } from './faults.js';

export interface SandboxRequest {
  readonly method: string;
  /** Path with leading slash; a query is ignored. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** null: no body. */
  readonly body: string | null;
}

export interface SandboxAnswer {
  /** null: the connection is cut without an answer; then headers and body are empty. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** null: no body. */
  readonly body: string | null;
  /** Present where a fault shaped the answer: the fault's kind, and how long the answer is held back. */
  readonly fault?: { readonly kind: FaultKind; readonly delayMs: number };
}

/** A refusal in the words of specification §7, before it has its id and code. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** The offending input, where there is one. */
  readonly source?: string;
}

export function jsonAnswer(status: number, body: unknown): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The specification §7 shows code and title of 400 and 429; those of other statuses follow the pattern. */
export function refusalAnswer(refusal: Refusal, id: string): SandboxAnswer {
  const { status, detail, source } = refusal;
  const { code, title } = NAMES[status] ?? { code: 'error', title: 'Error' };
  const entry = { id, code, status, title, detail, ...(source === undefined ? {} : { source }) };
  return jsonAnswer(status, { errors: [entry] });
}

/** A page for people where a program expects JSON, as a proxy or a sign-in wall sends it. */
export function pageAnswer(status: number, title: string): SandboxAnswer {
  const body = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

const NAMES: Readonly<Record<number, { readonly code: string; readonly title: string }>> = {
  400: { code: 'bad-request', title: 'Bad Request' },
  401: { code: 'unauthorized', title: 'Unauthorized' },
  403: { code: 'forbidden', title: 'Forbidden' },
  404: { code: 'not-found', title: 'Not Found' },
  405: { code: 'method-not-allowed', title: 'Method Not Allowed' },
  406: { code: 'not-acceptable', title: 'Not Acceptable' },
  409: { code: 'conflict', title: 'Conflict' },
  413: { code: 'payload-too-large', title: 'Payload Too Large' },
  415: { code: 'unsupported-media-type', title: 'Unsupported Media Type' },
  429: { code: 'quota-exceeded', title: 'API calls quota exceeded.' },
  500: { code: 'internal-error', title: 'Internal Server Error' },
  503: { code: 'service-unavailable', title: 'Service Unavailable' },
};
