import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/domain/clock.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { FileLedger } from '../../src/ledger/store/query.js';

let bytes: Buffer | undefined;

/**
 * Writes a ledger that has its tables and nothing in them: it gets its salt when it is opened. To copy one takes a quarter of the
 * time that it takes to create one.
 */
export function writeEmptyLedger(path: string): void {
  bytes ??= emptyLedger();
  writeFileSync(path, bytes, { mode: 0o600 });
}

/** Makes an empty ledger in a workspace that has none, as the first command would. */
export function makeLedger(root: string): void {
  const path = join(root, 'registrar.db');
  if (existsSync(path)) return;
  writeEmptyLedger(path);
  closeLedger(openLedger(path, systemClock()));
}

function emptyLedger(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
  try {
    const path = join(folder, 'registrar.db');
    const ledger = openLedger(path, systemClock());
    ledger.file.sqlite.exec('delete from ledger');
    closeLedger(ledger);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a ledger's file holds, to write it elsewhere. */
export function bytesOf({ file }: FileLedger): Buffer {
  return file.sqlite.serialize();
}
