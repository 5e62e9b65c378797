import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../src/config/load-config.js';
import { isoFromMs, systemClock } from '../../src/domain/clock.js';
import { once } from '../../src/domain/process/once.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import type { FileLedger } from '../../src/ledger/store/query.js';

/** Of the ledger that is copied, and as long as what takes their place. */
const SALT = '5a'.repeat(32);
const CREATED_AT = '2000-01-01T00:00:00.000Z';

/** A ledger with its tables: `blank` has nothing in them, `begun` its salt and its time. */
const made = once(() => {
  const ledger = openLedger(':memory:', systemClock());
  const { sqlite } = ledger.file;
  sqlite.exec('delete from ledger');
  const blank = sqlite.serialize();
  sqlite.exec(`insert into ledger (ledger_id, salt, created_at) values (1, '${SALT}', '${CREATED_AT}')`);
  const begun = sqlite.serialize();
  closeLedger(ledger);
  return { blank, begun };
});

/**
 * Writes a ledger that has its tables and nothing in them: it gets its salt when it is opened. To copy one takes a quarter of the
 * time that it takes to create one.
 */
export function writeEmptyLedger(path: string): void {
  writeFileSync(path, made().blank, { mode: 0o600 });
}

/** The bytes of a file with all that a ledger holds. */
export function bytesOf({ file }: FileLedger): Buffer {
  return file.sqlite.serialize();
}

/**
 * Before the first run of a workspace, which then finds the ledger that it would create. A test of how a ledger comes to be starts
 * a process, or opens it.
 */
export function writeFirstLedger(root: string): void {
  const names = readdirSync(root);
  const isFresh =
    names.includes(CONFIG_FILE) && names.every((name) => name === CONFIG_FILE || name === 'inbox');
  // The ledger may be a database.
  if (!isFresh || readFileSync(join(root, CONFIG_FILE), 'utf8').includes('ledger')) return;
  const bytes = Buffer.from(made().begun);
  bytes.write(randomBytes(32).toString('hex'), bytes.indexOf(SALT), 'latin1');
  bytes.write(isoFromMs(systemClock().nowMs()), bytes.indexOf(CREATED_AT), 'latin1');
  writeFileSync(join(root, 'registrar.db'), bytes, { mode: 0o600 });
}
