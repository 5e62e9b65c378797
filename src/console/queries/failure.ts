import { OperatorError } from '../../domain/operator-error.js';

/** A failure as it goes from one thread to another, which loses the classes of errors. `operator` is null for a bug. */
export type SentFailure = ReturnType<typeof sentFailure>;

export function sentFailure(error: unknown) {
  if (error instanceof OperatorError) {
    const { operation, subject, hint, exit, reason, message } = error;
    return { operator: { operation, subject, hint, exit, reason }, message, stack: '' };
  }
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { operator: null, message, stack };
}

export function receivedFailure({ operator, message, stack }: SentFailure): Error {
  if (operator !== null) return new OperatorError({ ...operator, message });
  const error = new Error(message);
  error.stack = stack;
  return error;
}
