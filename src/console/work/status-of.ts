import type { RequestMistake } from '../../documents/common.js';
import { OperatorError } from '../../domain/operator-error.js';

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** Refuses a request with an HTTP status; none of its data is kept. */
export class RequestRefusal extends OperatorError {
  readonly status: RefusalStatus;
  readonly mistakes: readonly RequestMistake[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: RefusalStatus,
    details: Omit<ConstructorParameters<typeof OperatorError>[0], 'exit'>,
    more: Partial<Pick<RequestRefusal, 'mistakes' | 'headers'>> = {},
  ) {
    super(details);
    this.status = status;
    this.mistakes = more.mistakes ?? [];
    this.headers = more.headers ?? {};
  }
}

export function bodyRefusal(status: RefusalStatus, message: string, hint: string): RequestRefusal {
  return new RequestRefusal(status, { operation: 'receive the request', subject: 'the body', message, hint });
}

export function statusOf(error: OperatorError): RefusalStatus {
  if (error instanceof RequestRefusal) return error.status;
  const { exit, reason } = error;
  if (exit === 'bug') return 500;
  if (exit === 'io' || exit === 'unavailable') return 503;
  if (reason === 'not-found') return 404;
  return reason === 'invalid' || reason === 'key-reused' ? 422 : 409;
}
