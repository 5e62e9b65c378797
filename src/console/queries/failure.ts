import { type ExitName, OperatorError, type RefusalReason } from '../../domain/operator-error.js';

/** A failure as it goes from one thread to another, which loses the classes of errors. */
export interface SentFailure {
  /** null: a bug. */
  readonly operator: {
    readonly operation: string;
    readonly subject: string;
    readonly hint: string;
    readonly exit: ExitName;
    readonly reason: RefusalReason | null;
  } | null;
  readonly message: string;
  readonly stack: string;
}

/** The failure as it can be sent. */
export function sentFailure(error: unknown): SentFailure {
  if (error instanceof OperatorError) {
    const { operation, subject, hint, exit, reason, message } = error;
    return { operator: { operation, subject, hint, exit, reason }, message, stack: '' };
  }
  const { message = String(error), stack = '' } = error as Partial<Error>;
  return { operator: null, message, stack };
}

/** The error that was sent. */
export function receivedFailure({ operator, message, stack }: SentFailure): Error {
  if (operator !== null) return new OperatorError({ ...operator, message });
  const error = new Error(message);
  error.stack = stack;
  return error;
}
