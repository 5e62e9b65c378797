import type { HttpResponse } from '../http.js';

export const WEB_PAGE = 'a web page';

/**
 * The part of a 2xx's body that says that the request failed, in words for people that quote nothing of it; null where
 * nothing does. The specification shows no body of a success, so any body that doesn't speak of failure counts as one. In a
 * 207 one failed part is enough, and an unreadable body counts as failure.
 * @param json the parsed body; undefined where it is no JSON.
 */
export function failureSign(response: HttpResponse, json: unknown): string | null {
  const { status, text } = response;
  if (isPage(response, json)) return WEB_PAGE;
  const isMultiStatus = status === 207;
  if (json === false) return 'false';
  if (json !== undefined && typeof json !== 'string')
    return signIn(json, isMultiStatus ? MAX_PART_DEPTH : MAX_DEPTH);
  if (isMultiStatus) return 'the state of its parts, unreadable';
  const match = BEGINS_WITH_ERROR.exec(text);
  if (match) return `"${match[1]}"`;
  if (/^\s*[{[]/.test(text)) return null;
  return FAILURE_WORD.exec(text.slice(0, SCANNED_CHARS))?.[0]?.toLowerCase() ?? null;
}

/** True for a web page. A host that labels every answer text/html may have sent plain text. */
function isPage({ headers, text, complete }: HttpResponse, json: unknown): boolean {
  if (looksLikePage(text)) return true;
  if (!/\bhtml\b/i.test(headers['content-type'] ?? '')) return false;
  return text.trim() === '' ? !complete : text.includes('<') && json === undefined;
}

/** True for the markup of a page for people: it begins with a tag of one, or is one behind comments. */
function looksLikePage(text: string): boolean {
  return PAGE_TAG.test(text) || (/^\s*</.test(text) && WHOLE_PAGE.test(text.slice(0, SCANNED_CHARS)));
}

const PAGE_TAG = /^\s*<(?:head|body|title|meta|link|script|style|center|h[1-6]|p|div|form)\b/i;

const WHOLE_PAGE = /<(?:!doctype\s+)?html\b/i;

/** How many levels of lists and objects are searched: down to the entries of `data`, and deeper in the parts of a 207. */
const MAX_DEPTH = 3;
const MAX_PART_DEPTH = 6;

/** The member that repeats what was sent, which may contain any name. */
const ECHOED = 'attributes';

function signIn(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  const members = Object.entries(value);
  const own = members.find(([name, member]) => saysFailure(name, member));
  if (own !== undefined) return `"${own[0]}"`;
  for (const [name, member] of members) {
    const inner = name === ECHOED ? null : signIn(member, levels - 1);
    if (inner !== null) return inner;
  }
  return null;
}

function saysFailure(name: string, value: unknown): boolean {
  switch (name.toLowerCase()) {
    case 'error':
    case 'errors':
      return !isNothing(value);
    case 'success':
    case 'ok':
      return value === false || value === 'false';
    case 'status':
    case 'statuscode':
    case 'status_code':
      return typeof value === 'number' ? value >= 400 : FAILING_STATUS.test(String(value));
    default:
      return false;
  }
}

const FAILING_STATUS = /^(?:(?:HTTP\/[\d.]+ )?[45]\d\d\b|(?:error|fail|failed|failure)$)/i;

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value || value === 'false' || value === 'none';
}

/** The beginning of an error. It is recognised even where the body was cut off or has another encoding than it says. */
const BEGINS_WITH_ERROR = /^\s*\{\s*"(errors?)"\s*:\s*(?:\[\s*[{"]|"[^"]|\{\s*")/i;

/** Characters that are searched for a page or words of failure: longer texts are no answer to one request. */
const SCANNED_CHARS = 2_000;

const FAILURE_WORD =
  /\b(?:errors?|fail(?:s|ed|ure)?|fault|exception|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden)\b/i;
