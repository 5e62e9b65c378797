import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { thisProcess } from '../../../src/ledger/leases/owner.js';
import { beginRun } from '../../../src/ledger/leases/runs.js';
import { closeLedger, openLedger, openLedgerToRead } from '../../../src/ledger/store/open.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { manualClock } from '../../support/manual-clock.js';
import { ACCEPTED, deliverNext, mustLease, stage, states, testLedger } from '../../support/staged-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';
import { withoutRights } from '../../workspace/opened-workspace.js';

describe('openLedger', () => {
  it('makes a file that only its owner can read, its journal too', async () => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    expect(statSync(fileOf(ledger).path).mode & 0o777).toBe(0o600);
    expect(statSync(`${fileOf(ledger).path}-wal`).mode & 0o777).toBe(0o600);
  });

  it('keeps the log of a small ledger small, however many requests it records', async () => {
    const ledger = testLedger();
    const { runId } = await stage(
      ledger,
      Array.from({ length: 4_000 }, (_, row) => ({ user: `a${row}@example.com`, content: `C-${row}` })),
    );
    const lease = await mustLease(ledger, 'push:main');
    for (let request = 0; request < 155; request += 1) await deliverNext(ledger, lease, runId, ACCEPTED);
    const megabytes = statSync(`${fileOf(ledger).path}-wal`).size / 1e6;
    expect(megabytes).toBeLessThan(20);
  });

  it('keeps its salt over openings', () => {
    const path = join(tempFolder(), 'registrar.db');
    const salts = [1, 2].map(() => {
      const ledger = openLedger(path, manualClock());
      closeLedger(ledger);
      return ledger.salt;
    });
    expect(salts[0]).toBe(salts[1]);
    expect(salts[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('refuses a ledger that a newer Registrar has written, and says so', () => {
    const path = join(tempFolder(), 'registrar.db');
    const ledger = openLedger(path, manualClock());
    ledger.file.sqlite
      .prepare("insert into schema_migration values ('9999-later.sql', 'x', '2030-01-01T00:00:00.000Z')")
      .run();
    closeLedger(ledger);
    expect(() => openLedger(path, manualClock())).toThrow(/newer/);
    expect(() => openLedgerToRead(path, manualClock())).toThrow(/newer/);
  });

  it('refuses another program’s database', () => {
    const path = join(tempFolder(), 'registrar.db');
    const foreign = new BetterSqlite3(path);
    foreign.exec('create table t (a)');
    foreign.close();
    expect(() => openLedger(path, manualClock())).toThrow(/not one of Registrar's/);
  });

  it('refuses a file that is no database', () => {
    const path = join(tempFolder(), 'registrar.db');
    writeFileSync(path, 'hello '.repeat(1000));
    chmodSync(path, 0o600);
    expect(() => openLedger(path, manualClock())).toThrow(/damaged/);
    expect(readFileSync(path, 'utf8')).toBe('hello '.repeat(1000));
  });

  it.each<[string, (path: string) => Promise<void>, RegExp]>([
    ['50 bytes', async (path) => writeFileSync(path, 'x'.repeat(50)), /never a ledger$/],
    [
      'a folder',
      async (path) => void mkdirSync(path),
      /registrar\.db is a folder, but should be the ledger$/,
    ],
    [
      'a pipe',
      async (path) => void execFileSync('mkfifo', [path]),
      /registrar\.db is not a file, but should be the ledger$/,
    ],
    [
      'a database without the salt',
      async (path) => {
        const ledger = openLedger(path, manualClock());
        await beginRun(ledger, 'manual', thisProcess(), 'test');
        ledger.file.sqlite.exec('delete from ledger');
        closeLedger(ledger);
      },
      /is damaged$/,
    ],
  ])('names what has the ledger’s name instead, with 74 and what to do: %s', async (_, put, sentence) => {
    const path = join(tempFolder(), 'registrar.db');
    await put(path);
    for (const open of [openLedgerToRead, openLedger]) {
      expect(() => open(path, manualClock())).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(sentence),
          hint: expect.stringContaining('registrar restore FILE --because TEXT'),
          exit: 'io',
        }),
      );
    }
  });

  it('closes an empty file that others could read before it writes into it', () => {
    const path = join(tempFolder(), 'registrar.db');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    closeLedger(openLedger(path, manualClock()));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a ledger that was cut off', () => {
    const path = join(tempFolder(), 'registrar.db');
    closeLedger(openLedger(path, manualClock()));
    truncateSync(path, statSync(path).size - 16384);
    expect(() => openLedger(path, manualClock())).toThrow(/damaged/);
  });

  it('returns null to a reader where there is no ledger, and creates none', () => {
    expect(openLedgerToRead(join(tempFolder(), 'registrar.db'), manualClock())).toBeNull();
  });

  it('names a ledger that this user may not write, whose it is, and who this process is', async () => {
    const folder = tempFolder();
    const path = join(folder, 'registrar.db');
    closeLedger(openLedger(path, manualClock()));
    chmodSync(folder, 0o755);
    chmodSync(path, 0o444);
    const open = async () => openLedger(path, manualClock());
    await expect(withoutRights(open)).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^the ledger ${path} can't be opened for reading and writing: ${path} belongs to uid \\d+ and gid \\d+ with the rights 0444, and this process is uid \\d+$`,
        ),
      ),
      hint: expect.stringContaining('chown'),
      exit: 'io',
    });
  });
});

describe('the ledger itself', () => {
  it('refuses a change of state that is not logged', async () => {
    const ledger = testLedger();
    await stage(ledger, [{}]);
    expect(() => fileOf(ledger).sqlite.exec("update submission set state = 'accepted'")).toThrow(
      /without its transition/,
    );
    expect(await states(ledger)).toEqual(['waiting']);
  });

  it.each([
    ['a disposition', "update row set disposition = 'blank', submission_id = null"],
    ['a raw cell', "update row set cells = '[]'"],
    ['a record', "update submission set record = '{}'"],
    ['what a submission is', 'update submission set revision = 2'],
    ['a published drop', 'update drop_file set rows_read = 0'],
    ['rows that count', 'delete from row'],
    ['submissions that count', 'delete from submission'],
  ])('keeps %s', async (_, sql) => {
    const ledger = testLedger();
    // The second row repeats the first.
    await stage(ledger, [{}, {}]);
    expect(() => fileOf(ledger).sqlite.exec(sql)).toThrow();
  });
});
