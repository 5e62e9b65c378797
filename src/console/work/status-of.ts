import { OperatorError } from '../../domain/operator-error.js';

/** Why a body is not received, with the status that says so; nothing of it is kept. */
export class BodyRefusal extends OperatorError {
  constructor(
    readonly status: 400 | 408 | 413 | 429,
    message: string,
    hint: string,
  ) {
    super({ operation: 'receive the request', subject: 'the body', message, hint });
  }
}

/** The status of an answer that says why something was not done. */
export function statusOf(error: OperatorError): BodyRefusal['status'] | 404 | 409 | 422 | 500 | 503 {
  if (error instanceof BodyRefusal) return error.status;
  const { exit, reason } = error;
  if (exit === 'bug') return 500;
  if (exit === 'io' || exit === 'unavailable') return 503;
  if (reason === 'not-found') return 404;
  return reason === 'invalid' || reason === 'key-reused' ? 422 : 409;
}
