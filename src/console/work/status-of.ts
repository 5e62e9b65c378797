import type { OperatorError } from '../../domain/operator-error.js';

/** The status of an answer that says why something was not done. */
export function statusOf({ exit, reason }: OperatorError): 404 | 409 | 422 | 500 | 503 {
  if (exit === 'bug') return 500;
  if (exit === 'io' || exit === 'unavailable') return 503;
  if (reason === 'not-found') return 404;
  return reason === 'invalid' || reason === 'key-reused' ? 422 : 409;
}
