/**
 * The part of a 2xx's body that says that the request failed, in words for people; null where nothing does. The
 * specification shows no body of a success, so any body that doesn't speak of failure counts as one. In a 207 one failed
 * part is enough, and an unreadable body counts as failure.
 * @param json the parsed body; undefined where it is no JSON.
 */
export function failureSign(status: number, text: string, json: unknown): string | null {
  const isMultiStatus = status === 207;
  if (json === false) return 'false';
  if (json !== undefined && typeof json !== 'string')
    return signIn(json, isMultiStatus ? DEEPEST_PART : DEEPEST);
  if (isMultiStatus) return 'the state of its parts, unreadable';
  const begun = BEGINS_WITH_ERROR.exec(text);
  if (begun) return `"${begun[1]}"`;
  return isJson(text) ? null : (FAILURE_WORD.exec(text.slice(0, LOOKED_AT))?.[0]?.toLowerCase() ?? null);
}

/** True for the markup of a page for people, with any text before its first tag. */
export function looksLikePage(text: string): boolean {
  let rest = text.trimStart();
  for (const [begin, end] of BEFORE_A_PAGE) {
    while (rest.startsWith(begin)) {
      const at = rest.indexOf(end);
      rest = at < 0 ? '' : rest.slice(at + end.length).trimStart();
    }
  }
  return PAGE_TAG.test(rest);
}

const BEFORE_A_PAGE = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

const PAGE_TAG =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|center|h[1-6]|p|div|form)\b/i;

/** How many levels of lists and objects are searched: down to the entries of `data`, and deeper in the parts of a 207. */
const DEEPEST = 3;
const DEEPEST_PART = 6;

/** The member that repeats what was sent, which may contain any name. */
const ECHOED = 'attributes';

function signIn(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  if (Array.isArray(value)) return firstSign(value, (entry) => signIn(entry, levels - 1));
  const members = Object.entries(value);
  const own = firstSign(members, ([name, member]) => (saysFailure(name, member) ? `"${name}"` : null));
  if (own !== null) return own;
  return firstSign(members, ([name, member]) => (name === ECHOED ? null : signIn(member, levels - 1)));
}

function firstSign<T>(values: readonly T[], sign: (value: T) => string | null): string | null {
  for (const value of values) {
    const first = sign(value);
    if (first !== null) return first;
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

/** Characters that are searched for words of failure: longer texts are no answer to one request. */
const LOOKED_AT = 2_000;

const FAILURE_WORD =
  /\b(?:errors?|fail(?:s|ed|ure)?|fault|exception|denied|refused|rejected|invalid|unauthori[sz]ed|forbidden)\b/i;

function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}
