import { existsSync, readFileSync } from 'node:fs';
import { fileOf, type Ledger } from '../../src/ledger/store/query.js';

/** All that a ledger's file and its log hold: the same as long as no process writes. */
export function bytesOnDisk(ledger: Ledger): string {
  const { path } = fileOf(ledger);
  return [path, `${path}-wal`]
    .map((file) => (existsSync(file) ? readFileSync(file, 'base64') : ''))
    .join(' ');
}
