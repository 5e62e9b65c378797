import { setFlagsFromString } from 'node:v8';
import { type ExitName, OperatorError } from '../../domain/operator-error.js';

/** An error in a form that can be copied to another thread; without its cause. */
export type CopiedFailure =
  | {
      readonly kind: 'operator';
      readonly operation: string;
      readonly subject: string;
      readonly message: string;
      readonly hint: string;
      readonly exit: ExitName;
    }
  /** Of the disk or the database. */
  | { readonly kind: 'io'; readonly message: string; readonly code: string; readonly path: string };

/** The form of an error to be copied. An error that is neither an OperatorError nor has a code is a bug, and is thrown again. */
export function copiedFailure(error: unknown): CopiedFailure {
  if (error instanceof OperatorError) {
    const { operation, subject, message, hint, exit } = error;
    return { kind: 'operator', operation, subject, message, hint, exit };
  }
  const { message, code, path } = (error ?? {}) as { message: string; code?: unknown; path?: unknown };
  if (typeof code !== 'string') throw error;
  return { kind: 'io', message, code, path: String(path ?? '') };
}

/** The error on the thread to which it was copied. */
export function failureOf(copied: CopiedFailure): Error {
  if (copied.kind === 'operator') return new OperatorError(copied);
  const { message, code, path } = copied;
  return Object.assign(new Error(message), { code, path });
}

/**
 * Makes the garbage collector begin when a heap has grown by a quarter instead of by its own size. A large workbook's texts
 * stay in memory while its rows are read, and would have as much garbage beside them; collecting that sooner costs nothing
 * that can be measured.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=25');
}
