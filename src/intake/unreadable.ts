import { basename } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';

/**
 * A whole file that can't be taken in: what is wrong with it and where, without the final stop, and what to do about
 * it. The file's name is the subject and not repeated in the message, which is shown beside it.
 */
export function unreadable(path: string, message: string, hint: string, cause?: unknown): OperatorError {
  return new OperatorError({
    operation: OPERATION,
    subject: basename(path),
    message: `${message}.`,
    hint,
    exit: 'attention',
    cause,
  });
}

/**
 * What to throw for an error caught while a file was read: a failure of the file system becomes a sentence for the
 * operator, everything else is passed on as it is.
 */
export function explainFailure(path: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error) || !('syscall' in error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const mistake = MISTAKES[code];
  return new OperatorError({
    operation: OPERATION,
    subject: basename(path),
    message: `${mistake?.message ?? `the file can't be read from disk (${error.message})`}.`,
    hint: mistake?.hint ?? 'Check the disk, then run again.',
    exit: mistake === undefined ? 'io' : 'usage',
    cause: error,
  });
}

const OPERATION = 'read the drop';

/** What people get wrong about a path, as opposed to a failing disk. */
const MISTAKES: Readonly<Record<string, { message: string; hint: string } | undefined>> = {
  ENOENT: { message: 'there is no such file', hint: 'Check the path.' },
  ENOTDIR: { message: 'there is no such file', hint: 'Check the path.' },
  EISDIR: { message: 'this is a folder', hint: 'Name a file in it.' },
  EACCES: { message: 'the file may not be read', hint: 'Give this user the right to read it.' },
  EPERM: { message: 'the file may not be read', hint: 'Give this user the right to read it.' },
};
