import { pageAnswer, type SandboxAnswer } from './answer.js';
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
  const isError = fault.kind === 'server-error' || fault.kind === 'bad-gateway';
  if (fault.kind === 'drop-after' || (fault.written && isError)) carryOut();
  const refused = (status: number, detail: string) => withQuota(refuse({ status, detail }), count);
  switch (fault.kind) {
    case 'server-error': {
      const answer = refused(fault.status ?? 500, 'The request could not be carried out.');
      return withRetryAfter(answer, fault.retryAfterS);
    }
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
