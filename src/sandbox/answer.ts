import { STATUS_CODES } from 'node:http';
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

export const CUT: SandboxAnswer = { status: null, headers: {}, body: null };

/** A refusal in the words of specification §7, before it has its id and code. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  /** The offending input, where there is one. */
  readonly source?: string;
}

/** @param source anything but a text is shown as JSON; undefined: there is none. */
export function refuse(status: number, detail: string, source?: unknown): Refusal {
  if (source === undefined) return { status, detail };
  return { status, detail, source: typeof source === 'string' ? source : JSON.stringify(source) };
}

export function jsonAnswer(status: number, body: unknown): SandboxAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** The specification §7 shows code and title of 400 and 429; others follow the pattern of 400. */
export function refusalAnswer({ status, detail, source }: Refusal, id: string): SandboxAnswer {
  const name = STATUS_CODES[status] ?? 'Error';
  const pattern = { code: name.toLowerCase().replaceAll(' ', '-'), title: name };
  const { code, title } = OWN_NAMES[status] ?? pattern;
  return jsonAnswer(status, { errors: [{ id, code, status, title, detail, source }] });
}

const OWN_NAMES: Readonly<Record<number, { readonly code: string; readonly title: string }>> = {
  429: { code: 'quota-exceeded', title: 'API calls quota exceeded.' },
  500: { code: 'internal-error', title: 'Internal Server Error' },
};

/** A page for people where a program expects JSON, as a proxy or a sign-in wall sends it. */
export function pageAnswer(status: number, title: string): SandboxAnswer {
  const body = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}
