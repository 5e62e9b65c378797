import { basename } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import { deniedText } from '../domain/process/who-may.js';

/**
 * The error for a file that can't be imported: the fault with its place, without the final stop, and the remedy. The file's
 * name is the subject and not repeated in the message, which is shown beside it.
 */
export function unreadable(path: string, message: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError({
    operation: OPERATION,
    subject: basename(path),
    message: `${message}.`,
    hint,
    exit: 'attention',
    reason: 'invalid',
    cause,
  });
}

/**
 * The error to throw for one caught while reading a file: a failure of the file system becomes a sentence for the operator, and
 * any other error is returned as it is.
 */
export function explainFailure(path: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error) || !('syscall' in error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const [message, hint] = MISTAKES[code] ?? [];
  return new OperatorError({
    operation: OPERATION,
    subject: basename(path),
    message: `${message?.(path) ?? `the file can't be read from disk (${error.message})`}.`,
    hint: hint ?? 'Check the disk, then run again.',
    exit: hint === undefined ? 'io' : 'usage',
    cause: error,
  });
}

const OPERATION = 'read the drop';

const noFile = (path: string) => `there is no file ${path}`;
const mayNotBeRead = (path: string) => `${path} can't be read: ${deniedText(path)}`;

/** Mistakes that people make about a path, as opposed to a failing disk. */
const MISTAKES: Readonly<Record<string, readonly [message: (path: string) => string, hint: string]>> = {
  ENOENT: [noFile, 'Check the path.'],
  ENOTDIR: [noFile, 'Check the path: a part of it is a file, not a folder.'],
  EISDIR: [(path) => `${path} is a folder`, 'Name a file in it.'],
  EACCES: [mayNotBeRead, 'Give this user the right to read it.'],
  EPERM: [mayNotBeRead, 'Give this user the right to read it.'],
};
