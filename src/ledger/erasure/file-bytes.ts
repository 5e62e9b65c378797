import { openSync, read, statSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Ledger } from '../store/query.js';

/**
 * Descriptors by which files of ledgers are read, by device and inode. They are never closed: once a process closes any
 * descriptor of a file, POSIX drops all locks that the process has on it, SQLite's own among them, and another process could
 * delete the log under an open ledger (https://www.sqlite.org/howtocorrupt.html, "POSIX advisory locks canceled").
 */
const descriptors = new Map<string, number>();

const PIECE_BYTES = 1_048_576;

const SUFFIXES = ['', '-wal', '-shm'];

/** The bytes of each of the ledger's files that exists, in pieces, as text of one character each. */
export async function* fileBytes({ file }: Ledger): AsyncGenerator<AsyncIterable<string>> {
  if (file === null) return;
  const { path } = file;
  for (const suffix of SUFFIXES) {
    const descriptor = descriptorOf(path + suffix);
    if (descriptor !== null) yield pieces(descriptor);
  }
}

async function* pieces(descriptor: number): AsyncGenerator<string> {
  const buffer = Buffer.alloc(PIECE_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await promisify(read)(descriptor, buffer, 0, PIECE_BYTES, position);
    if (bytesRead === 0) return;
    yield buffer.toString('latin1', 0, bytesRead);
    position += bytesRead;
  }
}

/** null: there is no such file. */
function descriptorOf(path: string): number | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return null;
  const key = `${stat.dev} ${stat.ino}`;
  const descriptor = descriptors.get(key) ?? openSync(path, 'r');
  descriptors.set(key, descriptor);
  return descriptor;
}
