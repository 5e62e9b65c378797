import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/clock.js';
import { closeLedger, openLedger } from '../../../src/ledger/store/open.js';
import { markReplaced, reopenCopy, seizeLedger } from '../../../src/ledger/store/sqlite/seize-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';

function closedLedger(): string {
  const path = join(tempFolder(), 'registrar.db');
  closeLedger(openLedger(path, systemClock()));
  return path;
}

it('a ledger that a process has open is not seized; one that none has open is, without a log beside it', () => {
  const path = closedLedger();
  const open = openLedger(path, systemClock());
  expect(() => seizeLedger(path)).toThrow(/another process has .* open/);
  closeLedger(open);
  const seized = seizeLedger(path);
  expect([seized === null, existsSync(`${path}-wal`)]).toEqual([false, false]);
  seized?.close();
});

it('a damaged ledger that was moved away can’t be used until a copy of it is reopened', () => {
  const path = closedLedger();
  const seized = seizeLedger(path);
  if (seized === null) throw new Error('it is a sound ledger');
  markReplaced(seized);
  seized.close();
  expect(() => openLedger(path, systemClock())).toThrow(/was replaced by a restore/);
  reopenCopy(path);
  closeLedger(openLedger(path, systemClock()));
});

it('a file that isn’t a ledger is not seized', () => {
  const path = join(tempFolder(), 'registrar.db');
  writeFileSync(path, 'something else, of some length, that SQLite has never seen before');
  expect(seizeLedger(path)).toBe(null);
});
