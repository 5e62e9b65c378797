import type { Fault, FaultCode } from '../domain/environment/fault.js';
import type { HttpFailure } from './http.js';

/**
 * The environment's fault where no status came; null where the request was cancelled on this side, which says nothing about
 * the environment. The only place that reads the codes of the system, of TLS and of undici.
 */
export function networkFault(failure: HttpFailure): Fault | null {
  if (isOwnAbort(failure)) return null;
  const code = failure.sent ? afterSending(failure.code) : beforeSending(failure);
  return { code, message: wordsOf(failure) };
}

/** True where this side cancelled the request: by a person, for a lost lease, or for a path that leads elsewhere. */
export function isOwnAbort(failure: HttpFailure | null): boolean {
  return failure !== null && OURS.has(failure.code);
}

const OURS: ReadonlySet<string> = new Set(['interrupted', 'fenced', 'misdirected']);

function beforeSending({ code, message }: HttpFailure): FaultCode {
  // Node 20 and 24 name this fault differently, and OpenSSL has a sentence of its own.
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code) || /wrong version number/.test(message))
    return 'plain-http';
  return UNSENT.find(([pattern]) => pattern.test(code))?.[1] ?? 'tls-failed';
}

const UNSENT: readonly (readonly [RegExp, FaultCode])[] = [
  [/^PROXY$/, 'proxy'],
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_\w+)$/, 'name-unknown'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, 'unreachable'],
  [/^(deadline|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connect-timeout'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'tls-closed'],
  [/ALTNAME/, 'certificate-name'],
  [/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/, 'certificate-expired'],
  [/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/, 'certificate-untrusted'],
];

function afterSending(code: string): FaultCode {
  if (/^(deadline|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/.test(code)) return 'no-answer';
  return /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/.test(code) ? 'not-http' : 'connection-lost';
}

/** The system's sentence with its code; for OpenSSL the code alone, because its sentence names a place in its source. */
function wordsOf({ code, message }: HttpFailure): string {
  if (/SSL routines|\n/.test(message) || message === '') return code;
  return code === 'deadline' || code === 'PROXY' || message.includes(code) ? message : `${message} (${code})`;
}
