import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { fileBytes } from '../../../src/ledger/erasure/prove-forgotten.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { stage, testLedger } from '../../support/staged-ledger.js';

it('reads each byte of each file, and leaves the locks of this process on them as they are', async () => {
  const ledger = testLedger();
  await stage(ledger, [{}]);
  const { path } = fileOf(ledger);
  for (const _ of ['once', 'again']) {
    const read: string[] = [];
    for await (const pieces of fileBytes(ledger)) {
      let file = '';
      for await (const piece of pieces) file += piece;
      read.push(file);
    }
    expect(read).toEqual(['', '-wal', '-shm'].map((suffix) => bytesOf(path + suffix)));
  }
  expect(lockedOutOf(path)).toBe('database is locked');
});

/** By another process: to close the file in this one would drop the locks that the test looks for. */
function bytesOf(path: string): string {
  return spawnSync('cat', [path], { encoding: 'latin1', maxBuffer: 100_000_000 }).stdout;
}

/** SQLite's answer to another process that requests the exclusive lock, which no process gets while another has the ledger open. */
function lockedOutOf(path: string): string {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1], { timeout: 0 });
    try { sqlite.pragma('journal_mode = delete'); console.log('got it'); } catch ({ message }) { console.log(message); }`;
  return spawnSync(process.execPath, ['-e', script, path], { encoding: 'utf8' }).stdout.trim();
}
