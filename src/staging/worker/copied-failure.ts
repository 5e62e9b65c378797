import { type ExitName, OperatorError } from '../../domain/operator-error.js';

/** An OperatorError as it can be copied to another thread; without its cause. */
export interface CopiedFailure {
  readonly operation: string;
  readonly subject: string;
  readonly message: string;
  readonly hint: string;
  readonly exit: ExitName;
}

/** The failure to be copied. Any other error is a bug, and is thrown on. */
export function copiedFailure(error: unknown): CopiedFailure {
  if (!(error instanceof OperatorError)) throw error;
  const { operation, subject, message, hint, exit } = error;
  return { operation, subject, message, hint, exit };
}
