import type { EnvironmentConfig } from '../../config/schema.js';
import type { FaultCode } from '../../domain/environment/fault.js';
import type { PlatformResponse } from '../../domain/environment/platform-response.js';
import type { Outcome } from '../../domain/outcome.js';
import type { PlatformRequest } from '../calls/platform-call.js';
import type { HttpFailure } from '../http.js';
import { networkFault } from '../network-fault.js';
import { WEB_PAGE } from './failure-sign.js';
import { namedQuota, retryAfterMs } from './limits.js';
import { INVALID_USER, personalValues, refusalCode, refusalReason } from './reason.js';
import { isSuccess } from './response.js';

/** Statuses that are about the one record: if it were sent again unchanged, it would be refused again. */
const RECORD_STATUSES: readonly number[] = [400, 409, 410, 413, 414, 422];

/** Time-outs and "too early" of the platform; the request may have been carried out all the same. */
const PASSING: readonly number[] = [408, 425];

/** 5xx that don't pass with time: not implemented, HTTP version not supported. */
const LASTING: readonly number[] = [501, 505];

interface Stop {
  /** Absent: the environment. */
  readonly stops?: 'token' | 'operation';
  readonly fault: FaultCode;
  readonly why: string;
}

const REFUSED: Stop = { fault: 'refused', why: 'the platform refuses every such request' };

const REDIRECT: Stop = { fault: 'address', why: 'the platform redirects the request; check baseUrl' };

const NO_SUCH_CALL: Stop = { fault: 'address', why: "the platform doesn't know this call; check baseUrl" };

/** A refused token may be renewed; a scope is missing for one operation (specification §5.3). */
const STOPPED: Readonly<Record<number, Stop>> = {
  401: { stops: 'token', fault: 'token-refused', why: 'the platform refuses the token' },
  403: { stops: 'operation', fault: 'scope', why: 'the client id may not do this; check its scopes' },
  404: NO_SUCH_CALL,
  405: NO_SUCH_CALL,
};

/**
 * What a response means: the only place where success is decided. A success is a 2xx that doesn't speak of failure and is no
 * web page, because the specification shows no body of a 2xx (§4.2). A status that is neither the record's fault nor a
 * passing fault stops the environment: it is better that all records wait than that all are refused.
 */
export function classify(
  request: PlatformRequest,
  response: PlatformResponse,
  exists: EnvironmentConfig['exists'],
): Outcome {
  const { status, error, platformId } = response;
  if (isSuccess(status)) return classifySuccess(response, personalValues(request.body));
  if (status === 409 && exists === 'accept') return { kind: 'accepted', platformId, existed: true };

  const personal = personalValues(request.body);
  const code = refusalCode(status, error, personal);
  const reason = refusalReason(status, error, personal);
  const text = error?.code ? `HTTP ${status}, ${reason}` : reason;
  // A 404 in the platform's error format is about the one thing that the path names; any other 404 says that there is no
  // such call.
  const isOfPath = status === 404 && error !== null && request.method !== 'POST';
  if (RECORD_STATUSES.includes(status) || isOfPath) {
    if (status === 400 && error?.detail?.startsWith(INVALID_USER)) {
      return { kind: 'rejected', cause: 'learner-unknown', reason };
    }
    const refusal = { kind: 'rejected', cause: 'platform-refused', code, reason } as const;
    return status === 409 ? { ...refusal, exists: true } : refusal;
  }
  const waitMs = retryAfterMs(response.headers);
  if (status === 429) {
    return { kind: 'throttled', code, reason, retryAfterMs: waitMs, quota: namedQuota(error?.detail ?? '') };
  }
  if (PASSING.includes(status) || (status >= 500 && !LASTING.includes(status))) {
    const fault = { code: 'server-error', message: text } as const;
    return { kind: 'transient', code, reason, retryAfterMs: waitMs, mayBeWritten: true, fault };
  }
  const { stops = 'environment', fault, why } = STOPPED[status] ?? (status < 400 ? REDIRECT : REFUSED);
  const stop = {
    kind: 'stop',
    code,
    reason: `${why} (${text})`,
    stops,
    fault: { code: fault, message: text },
  } as const;
  return status >= 500 ? { ...stop, mayBeWritten: true } : stop;
}

/** True where the platform refused to create what exists already (specification §3). @param status null: no answer. */
export function saysExists(status: number | null): boolean {
  return status === 409;
}

/**
 * What it means that no status came. If no byte had left, nothing can have been written. A certificate that isn't trusted
 * stops the environment, because waiting doesn't help.
 */
export function classifyFailure(failure: HttpFailure): Outcome {
  const reason = failureReason(failure);
  if (failure.code === 'misdirected') return { kind: 'rejected', cause: 'misdirected', reason };
  const fault = networkFault(failure);
  const faultPart = fault === null ? {} : { fault };
  if (failure.sent) return { kind: 'unknown', cause: 'no-answer', reason, ...faultPart };
  if (fault !== null && LASTING_FAULTS.includes(fault.code)) {
    return {
      kind: 'stop',
      reason: `the certificate of the host is not trusted (${failure.code})`,
      stops: 'environment',
      ...faultPart,
    };
  }
  return { kind: 'transient', reason, retryAfterMs: null, mayBeWritten: false, ...faultPart };
}

const LASTING_FAULTS: readonly FaultCode[] = [
  'certificate-untrusted',
  'certificate-name',
  'certificate-expired',
];

/** What a 2xx means. Whatever its body says, the request may have been carried out. */
function classifySuccess(response: PlatformResponse, personal: readonly string[]): Outcome {
  const { status, error, failureSign, platformId } = response;
  if (failureSign === WEB_PAGE) {
    return {
      kind: 'stop',
      reason: `HTTP ${status}, but the address answers with a web page: check baseUrl, and whether a proxy or a sign-in page is in between`,
      stops: 'environment',
      mayBeWritten: true,
      fault: { code: 'address', message: `HTTP ${status} with a web page` },
    };
  }
  // A body that was cut off is a success too: the status has come, and a repeat could write twice.
  if (failureSign === null) return { kind: 'accepted', platformId };
  const detail = error === null ? '' : `: ${refusalReason(status, error, personal)}`;
  const message = `HTTP ${status}, but the body reports a failure (${failureSign})${detail}`;
  const fault = { code: 'server-error', message } as const;
  return { kind: 'unknown', cause: 'answer-unclear', reason: message, fault };
}

function failureReason({ code, sent }: HttpFailure): string {
  if (code === 'deadline') return sent ? 'no answer in time' : 'no connection in time';
  if (code === 'misdirected') return 'not sent: its path would lead elsewhere';
  if (code === 'fenced') return 'not sent: the process was stopped for too long';
  if (code === 'interrupted')
    return sent ? 'cancelled before an answer came' : 'cancelled before it was sent';
  return sent ? `no answer (${code})` : `no connection (${code})`;
}
