import type { PlatformError, PlatformResponse } from '../../domain/environment/platform-response.js';
import { isObject } from '../../domain/text/is-object.js';
import type { HttpResponse } from '../http.js';
import { failureSign } from './failure-sign.js';
import { impersonal, redact } from './redact.js';

/** Enough for any answer in the error format; the rest of a page for people says nothing more. */
const KEPT_BODY_BYTES = 64 * 1024;

const KEPT_HEADERS = [
  'content-type',
  'retry-after',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-reset',
  'date',
  'x-request-id',
  'x-correlation-id',
];

/** @param personal values of the request that name its learner. */
export function readResponse(
  response: HttpResponse,
  secrets: readonly string[],
  personal: readonly string[] = [],
): PlatformResponse {
  const text = redact(response.text, secrets, !response.complete);
  const entries = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers[name];
    return value === undefined ? [] : [[name, redact(value, secrets)] as const];
  });
  const headers = Object.fromEntries(entries);
  const json = parseJson(text);
  const whole = text === response.text ? json : parseJson(response.text);
  const body = firstBytes(text, KEPT_BODY_BYTES);
  return {
    status: response.status,
    headers,
    body: body === '' ? null : body,
    bodyState: bodyStateOf(response, body.length < text.length, whole !== undefined),
    error: parseError(json, personal),
    failureSign: isSuccess(response.status) ? failureSign(response, whole) : null,
    platformId: platformIdOf(json),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The value of a JSON text; undefined where the text is not JSON, which has no such value itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How much of the body came. Of a body without a length, only its JSON shows that it was cut off. */
function bodyStateOf(
  { complete, text, headers }: HttpResponse,
  isCut: boolean,
  isParsed: boolean,
): PlatformResponse['bodyState'] {
  if (isCut) return 'capped';
  if (!complete) return 'incomplete';
  const isJsonType = /^\s*application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  const saysJson = isJsonType || /^\s*[{[]/.test(text);
  return saysJson && !isParsed && text.trim() !== '' ? 'incomplete' : 'complete';
}

function platformIdOf(json: unknown): string | null {
  const id = (json as { data?: { id?: unknown } } | null | undefined)?.data?.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** As much of a text as fits into `maxBytes`, without half a character at its end. */
function firstBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxBytes), { stream: true });
}

/**
 * Reads a parsed body leniently: members may be missing or of other types. Returns null only for a body without any entry.
 * An entry's `status` is left out, because the answer's own status says it.
 * @param personal values of the request that name its learner.
 */
export function parseError(body: unknown, personal: readonly string[] = []): PlatformError | null {
  if (!isObject(body)) return null;
  const errors = body.errors;
  const entry = Array.isArray(errors) ? errors[0] : errors;
  if (typeof entry === 'string' && entry !== '') {
    return { id: null, code: null, title: null, detail: textOf(entry), source: null };
  }
  if (!isObject(entry)) return null;
  const without = (value: unknown, values: readonly string[]) => {
    const text = textOf(value);
    return text === null ? null : impersonal(text.slice(0, MAX_NAME_CHARS), values);
  };
  return {
    // Values of the request are not taken out: a number in the id may equal the person's by chance.
    id: without(entry.id, []),
    code: without(entry.code, personal),
    title: without(entry.title, personal),
    detail: textOf(entry.detail),
    source: textOf(entry.source),
  };
}

const MAX_NAME_CHARS = 300;

const MAX_TEXT_CHARS = 8_192;

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'string' ? value : jsonOf(value);
  // Without half a character at its end.
  return text.slice(0, MAX_TEXT_CHARS).replace(/[\ud800-\udbff]$/, '');
}

/** A value that should have been a text; one that nests thousands deep exhausts the stack. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
}
