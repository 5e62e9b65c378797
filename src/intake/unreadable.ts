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
  const mistake = MISTAKES[code];
  return new OperatorError({
    operation: OPERATION,
    subject: basename(path),
    message: `${mistake?.message(path) ?? `the file can't be read from disk (${error.message})`}.`,
    hint: mistake?.hint ?? 'Check the disk, then run again.',
    exit: mistake === undefined ? 'io' : 'usage',
    cause: error,
  });
}

const OPERATION = 'read the drop';

/** Mistakes that people make about a path, as opposed to a failing disk. */
const MISTAKES: Readonly<Record<string, PathMistake | undefined>> = {
  ENOENT: { message: (path) => `there is no file ${path}`, hint: 'Check the path.' },
  ENOTDIR: {
    message: (path) => `there is no file ${path}`,
    hint: 'Check the path: a part of it is a file, not a folder.',
  },
  EISDIR: { message: (path) => `${path} is a folder`, hint: 'Name a file in it.' },
  EACCES: { message: mayNotBeRead, hint: 'Give this user the right to read it.' },
  EPERM: { message: mayNotBeRead, hint: 'Give this user the right to read it.' },
};

interface PathMistake {
  readonly message: (path: string) => string;
  readonly hint: string;
}

function mayNotBeRead(path: string): string {
  return `${path} can't be read: ${deniedText(path)}`;
}
