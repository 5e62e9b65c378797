import { statSync } from 'node:fs';
import { unreadable } from './unreadable.js';

/** Changes when the file is replaced, appended to or written again; survives a rename. */
export function fileStamp(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

/** Throws when the file is no longer the one that was stamped: its hash would not belong to its rows. */
export function assertUnchanged(path: string, stamp: string): void {
  if (fileStamp(path) === stamp) return;
  throw unreadable(
    path,
    'the file changed while it was read',
    'Wait until it is written completely, then run again.',
  );
}
