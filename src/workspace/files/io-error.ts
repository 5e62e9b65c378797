import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { errorsOf, type OperatorError } from '../../domain/operator-error.js';
import { deniedText, isDenied, mayAccess } from '../../domain/process/who-may.js';

const REASONS: Readonly<Record<string, readonly [reason: string, hint: string]>> = {
  EACCES: ['permission denied', 'Give the user that runs Registrar the right to read and write there.'],
  EPERM: ['not permitted', 'Give the user that runs Registrar the right to read and write there.'],
  ENOSPC: ['the disk is full', 'Make room on it and run again: nothing is lost.'],
  EDQUOT: ['the disk quota is used up', 'Make room on it and run again: nothing is lost.'],
  EROFS: ['the file system is read-only', 'Mount it for writing.'],
  ENOENT: ['no such file or folder', 'Create the folder, or mount the disk it is on.'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'Move that file away.'],
  EEXIST: ['a file is where the folder should be', 'Move that file away.'],
  EIO: ['the disk reports an error', 'Check the disk, then run again.'],
  EMFILE: ['too many files are open', 'Raise the limit of open files (ulimit -n).'],
};

/** A fault of the file system as an error that an operator can fix: the operation, the path, and the remedy. Throws any other error as is. */
export function ioError(operation: string, path: string, error: unknown): OperatorError {
  const code = errorCode(error);
  // Not from the file system: a bug, which must not look like a disk.
  if (code === null) throw error;
  const [problem, hint] = REASONS[code] ?? [
    `the system says ${code}`,
    'Check the disk and the rights on this path.',
  ];
  const reason = isDenied(error) ? `${problem}; ${deniedText(deniedPath(error) ?? path)}` : problem;
  const message = `could not ${operation}, ${path}: ${reason}`;
  return errorsOf(operation)(path, message, hint, { exit: 'io', cause: error });
}

/** Handles a rejection: throws what `ioError` makes of it. */
export function asIoError(operation: string, path: string): (error: unknown) => never {
  return (error) => {
    throw ioError(operation, path, error);
  };
}

/**
 * Access is often denied to another path than the one meant: a folder on the way, the other end of a move. Names are changed in
 * their folders, so that the folder's right is the one that is missing.
 */
function deniedPath(error: unknown): string | null {
  const { path, dest, syscall } = error as NodeJS.ErrnoException & { readonly dest?: string };
  if (typeof path !== 'string') return null;
  if (!['rename', 'unlink', 'link'].includes(syscall ?? '')) return path;
  const folders = [path, ...(dest === undefined ? [] : [dest])].map(dirname);
  return folders.find((folder) => !mayAccess(folder, constants.W_OK | constants.X_OK)) ?? dirname(path);
}

/** A code such as `ENOENT`; null when the error isn't one of the operating system. */
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
