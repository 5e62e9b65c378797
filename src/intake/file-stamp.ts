import { stat } from 'node:fs/promises';
import { unreadable } from './unreadable.js';

/** Changes when the file is replaced, appended to or written again; survives a rename. */
export async function fileStamp(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
  return `${dev}:${ino}:${size}:${mtimeNs}`;
}

/** Throws when the file is no longer the one that was stamped: its hash would not belong to its rows. */
export async function assertUnchanged(path: string, stamp: string): Promise<void> {
  if ((await fileStamp(path)) === stamp) return;
  throw unreadable(
    path,
    'the file changed while it was read',
    'Wait until it is written completely, then run again.',
  );
}
