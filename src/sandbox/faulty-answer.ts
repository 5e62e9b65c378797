import { jsonAnswer, pageAnswer, type SandboxAnswer } from './answer.js';
import type { ScheduledFault } from './faults.js';
import { type QuotaAnswers, withRetryAfter } from './quota-answers.js';
import type { QuotaCount } from './quota-meter.js';

/** Pages come from a host in front of the platform, without quota headers. @param carryOut called at most once. */
export function faultyAnswer(
  fault: ScheduledFault,
  carryOut: () => SandboxAnswer,
  count: QuotaCount | null,
  { refuse, throttled, withQuota }: QuotaAnswers,
): SandboxAnswer {
  if (fault.kind === 'drop-after' || fault.kind === 'fail-after') carryOut();
  if (fault.written && (fault.kind === 'server-error' || fault.kind === 'bad-gateway')) carryOut();
  const refused = (status: number, detail: string) => withQuota(refuse({ status, detail }), count);
  switch (fault.kind) {
    case 'server-error':
    case 'fail-after': {
      const answer = refused(fault.status ?? 500, 'The request could not be carried out.');
      return withRetryAfter(answer, fault.retryAfterS);
    }
    case 'text-success': {
      const answer = carryOut();
      return answer.status === 201 ? { ...answer, headers: TEXT, body: 'Created' } : answer;
    }
    case 'error-in-success':
      return { ...refuse({ status: 400, detail: 'The request cannot be carried out.' }), status: 200 };
    case 'multi-status':
      return withQuota(jsonAnswer(207, { data: [{ status: 422, title: 'Not carried out' }] }), count);
    case 'long-detail':
      return refused(400, 'x'.repeat(100_000));
    case 'nested-detail':
      return withQuota(nestedRefusal(), count);
    case 'throttle':
      return throttled(fault.retryAfterS ?? 1);
    case 'bad-gateway':
      return pageAnswer(502, 'Bad Gateway');
    case 'html':
      return pageAnswer(200, 'Please sign in');
    case 'unauthorized':
      return refused(401, 'The access token was revoked.');
    case 'refusal':
      return refused(400, 'The request cannot be carried out.');
    case 'forbidden':
      return refused(403, 'The resource is private.');
    default:
      return CUT;
  }
}

/** The answer of a connection that is cut. */
export const CUT: SandboxAnswer = { status: null, headers: {}, body: null };

const TEXT = { 'content-type': 'text/plain' };

/** A refusal whose detail nests so deeply that JSON parsers accept it, but recursive code may not. */
function nestedRefusal(): SandboxAnswer {
  const detail = '['.repeat(5_000) + ']'.repeat(5_000);
  return {
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: `{"errors":[{"code":"bad-request","detail":${detail}}]}`,
  };
}
