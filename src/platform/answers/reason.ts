import type { PlatformError } from '../../domain/environment/platform-response.js';
import { impersonal } from './redact.js';

/** How the detail of a 400 about an identifier begins (specification §7); the identifier follows. */
export const INVALID_USER = 'Invalid user identifier';

/** The most characters of a reason, which is shown in tables and logs; the kept body has the rest. */
const LONGEST = 300;

/** The platform's `code` of a refusal, else its status (`HTTP 404`). Doesn't name the person. */
export function refusalCode(status: number, error: PlatformError | null, personal: readonly string[]) {
  const code = impersonal(error?.code ?? '', personal).slice(0, LONGEST);
  return code === '' ? `HTTP ${status}` : code;
}

/**
 * Why the platform refuses, in its own words but without the person. The reason goes into logs, and equal causes are
 * grouped by it; so the offending input, e-mail addresses and the values of `personal` are taken out.
 */
export function refusalReason(status: number, error: PlatformError | null, personal: readonly string[]) {
  const detail = error?.detail ?? error?.title ?? null;
  const code = refusalCode(status, error, personal);
  if (detail === null) return code;
  if (detail.startsWith(INVALID_USER)) return `${code}: ${INVALID_USER}`;
  const words = impersonal(detail, [...personal, error?.source ?? '']);
  return withoutLooseEnd(`${code}: ${words}`.slice(0, LONGEST));
}

/**
 * Removes what is left at the end: a colon or an ellipsis where words were taken out, half a character where the text was
 * cut.
 */
function withoutLooseEnd(reason: string): string {
  let end = reason.length;
  while (end > 0 && LOOSE.test(reason.charAt(end - 1))) end--;
  return reason.slice(0, end);
}

const LOOSE = /[\s:…\ud800-\udbff]/;

/** The identifiers of the learner in a request body (specification §2.2), for `refusalReason`. */
export function personalValues(body: unknown): string[] {
  const attributes = (body as { data?: { attributes?: Record<string, unknown> } } | null)?.data?.attributes;
  const id = attributes?.['user-id'];
  return typeof id === 'string' ? [id, ...alsoKnownAs(id)] : [];
}

/** Where the part before the @ can't be a plain word (`ann.lee`, `alee42`), it is another name of the person. */
function alsoKnownAs(address: string): readonly string[] {
  const local = address.slice(0, Math.max(0, address.indexOf('@')));
  return local.length >= MIN_NAME_CHARS && /\p{L}/u.test(local) && /[\d._-]/.test(local) ? [local] : [];
}

const MIN_NAME_CHARS = 5;
