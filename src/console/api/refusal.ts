import type { Problem, RequestMistake } from '../../documents/common.js';
import { OperatorError, type RefusalReason } from '../../domain/operator-error.js';
import { type RefusalStatus, RequestRefusal, statusOf } from '../work/status-of.js';

/** Statuses of answers that say why something was not done, each with the code of its usual problem and what it means. */
export const REFUSALS = {
  400: ['malformed', 'The request can’t be read'],
  401: ['unauthenticated', 'The token is missing or invalid'],
  403: ['forbidden', 'The role of the token has no access'],
  404: ['not-found', 'The address, or something that the request names, doesn’t exist'],
  405: ['method-not-allowed', 'The address needs another method'],
  408: ['too-slow', 'The body arrived too slowly'],
  409: ['conflict', 'The present state doesn’t allow it'],
  413: ['too-large', 'The body is too large'],
  415: ['unsupported-media-type', 'The body has another type'],
  422: ['invalid-request', 'The request has mistakes'],
  429: ['rate-limited', 'Too many requests'],
  500: ['internal', 'Something went wrong'],
  503: ['unavailable', 'The disk, the ledger or the platform can’t be used now'],
} as const satisfies Readonly<Record<RefusalStatus, readonly [string, string]>>;

/** Reasons that say more than their status: they are codes of problems of their own. */
const TITLES: Partial<Readonly<Record<RefusalReason, string>>> = {
  busy: 'Another process is working',
  'key-in-work': 'The first request with this key is still running',
  'key-reused': 'The key was used for another request',
};

export function invalidRequest(mistakes: readonly RequestMistake[]): RequestRefusal {
  const details = {
    operation: 'read the request',
    subject: [...new Set(mistakes.map((mistake) => mistake.in))].join(' and '),
    message: mistakes
      .map(({ field, message }) => `${field ?? 'it'} ${message}`.replace(/\.$/, ''))
      .join('; '),
    hint: 'GET /api/v1/openapi.json describes each request.',
  };
  return new RequestRefusal(422, details, { mistakes });
}

/** Why a request failed; a bug keeps its details to itself. @param instance the path of the request. */
export function refusalOf(error: unknown, instance: string) {
  const isKnown = error instanceof OperatorError;
  const { mistakes, headers } = error instanceof RequestRefusal ? error : { mistakes: [], headers: {} };
  const status = isKnown ? statusOf(error) : 500;
  const { operation, subject, message: detail, hint, reason } = isKnown ? error : BUG;
  const [code, title] = REFUSALS[status];
  const own = reason === null ? undefined : TITLES[reason];
  const wait = status === 429 ? '60' : own !== undefined && status === 409 ? '1' : null;
  const problem: Problem & { readonly status: RefusalStatus } = {
    type: `urn:registrar:problem:${own === undefined ? code : reason}`,
    title: own ?? title,
    status,
    ...{ detail, instance, operation, subject, hint },
    ...(mistakes.length > 0 ? { errors: mistakes } : {}),
  };
  return {
    headers: { ...(wait === null ? {} : { 'retry-after': wait }), ...headers },
    problem,
  };
}

const BUG = {
  operation: 'answer the request',
  subject: '',
  message: 'this is a bug in Registrar; its log has the details',
  hint: 'Nothing was half done.',
  reason: null,
};
