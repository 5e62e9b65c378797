import { OperatorError } from '../../domain/operator-error.js';
import { deniedText, isDenied } from '../../domain/process/who-may.js';

const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['permission denied', 'give the user that runs Registrar the right to read and write there'],
  EPERM: ['not permitted', 'give the user that runs Registrar the right to read and write there'],
  ENOSPC: ['the disk is full', 'free some space and run again; nothing is lost'],
  EDQUOT: ['the disk quota is used up', 'free some space and run again; nothing is lost'],
  EROFS: ['the file system is read-only', 'mount it for writing'],
  ENOENT: ['it does not exist', 'create it, or mount the disk it is on'],
  ENOTDIR: ['something on the way to it is a file, not a folder', 'move that file away'],
  EEXIST: ['a file is where the folder should be', 'move that file away'],
  EIO: ['the disk reports an error', 'check the disk'],
  EMFILE: ['too many files are open', 'raise the limit of open files (ulimit -n)'],
};

/** A fault of the file system as an error that an operator can mend: the operation, the path, and the remedy. */
export function ioError(operation: string, path: string, error: unknown): OperatorError {
  const code = errorCode(error);
  // Not from the file system: a bug, which must not look like a disk.
  if (code === null) throw error;
  const [known, hint] = REASONS[code] ?? [code, 'check the disk and the rights on this path'];
  const reason = isDenied(error) ? `${known}; ${deniedText(deniedPath(error) ?? path)}` : known;
  return new OperatorError({
    operation,
    subject: path,
    message: `could not ${operation}, ${path}: ${reason}`,
    hint,
    exit: 'io',
    cause: error,
  });
}

/** Access is often denied to another path than the one meant: a folder on the way, the other end of a move. */
function deniedPath(error: unknown): string | null {
  const { path } = error as NodeJS.ErrnoException;
  return typeof path === 'string' ? path : null;
}

/** `ENOENT` and the like; null when the error isn't one of the operating system. */
export function errorCode(error: unknown): string | null {
  return codeLike(error, /^E[A-Z0-9]+$/);
}

/** SQLite's code of an error, such as SQLITE_CORRUPT; null for an error from elsewhere. */
export function sqliteCode(error: unknown): string | null {
  return codeLike(error, /^SQLITE_/);
}

function codeLike(error: unknown, pattern: RegExp): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && pattern.test(code) ? code : null;
}
