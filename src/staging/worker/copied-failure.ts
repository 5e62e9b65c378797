import { type ExitName, OperatorError } from '../../domain/operator-error.js';

/** An OperatorError in a form that can be copied to another thread; without its cause. */
export interface CopiedFailure {
  readonly operation: string;
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
  readonly exit: ExitName;
}

/** The form of an OperatorError to be copied. Any other error is a bug, and is thrown again. */
export function copiedFailure(error: unknown): CopiedFailure {
  if (!(error instanceof OperatorError)) throw error;
  const { operation, subject, message, hint, exit } = error;
  return { operation, subject, message, hint, exit };
}
