const IO_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /^(SQLITE_CORRUPT|SQLITE_NOTADB)/,
    'The ledger is damaged. Restore it from a backup before anything is sent.',
  ],
  [/^(SQLITE_BUSY|SQLITE_LOCKED)/, 'Another program keeps the ledger locked. Close it and run again.'],
  [/^ERR_MODULE_NOT_FOUND/, 'The installation is not complete: run npm ci where Registrar is installed.'],
  [
    /^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS)/,
    'Check who owns the workspace and its files, registrar.db above all, and whether its disk is mounted for writing.',
  ],
  [/^(EMFILE|ENFILE)/, 'Too many files are open. Raise the limit of open files (ulimit -n), then run again.'],
  [/^(SQLITE_IOERR|EIO)/, 'Reading or writing failed. Check the disk, then run again.'],
];

/** null for an error of neither the disk nor the database. */
export function ioHint(error: unknown): string | null {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code !== 'string') return null;
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    const place = typeof path === 'string' ? `: ${path} can't grow` : '';
    return `The disk is full${place}. Make room and run again: nothing is lost.`;
  }
  return IO_HINTS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** An error of SQLite gets the path of its database, as errors of the file system have theirs. */
export function withPath(error: unknown, path: string): unknown {
  const isSqlite = /^SQLITE_/.test(String((error as { code?: unknown } | null)?.code));
  return isSqlite ? Object.assign(error as Error, { path }) : error;
}

/** True where another program holds the ledger's lock for longer than a statement waits. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown } | null)?.code));
}

/** Ends without Registrar: a full disk, a lock, a database out of reach, a read-only file system. */
export function isPassing(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (/^(SQLITE_(FULL|BUSY|LOCKED)|LEDGER_UNAVAILABLE|ENOSPC|EDQUOT|EROFS)/.test(String(code))) return true;
  return cause !== undefined && cause !== error && isPassing(cause);
}
