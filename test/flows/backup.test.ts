import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import { sha256Of } from '../../src/workspace/files/copy-verified.js';
import { sqlFaults } from '../support/crash-bench.js';
import { damageLedger } from '../support/damage.js';
import { csvOf, exportRows } from '../support/exports.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { statsOf } from '../support/sandbox-stats.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

interface BackupDocument {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly balanced: boolean;
  readonly submissions: number;
  readonly attempts: number;
}

/** A workspace that has delivered three rows: made once, and copied. */
const delivered = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ root });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  return workspace;
});

/** Several processes, each of which takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('registrar backup', () => {
  it(
    'while a run delivers writes a sound ledger of one moment, and doesn’t delay the run',
    SLOW,
    async () => {
      const workspace = await testWorkspace({ sandbox: { quota: { requests: 5, perMs: 500 } } });
      workspace.drop('a.csv', csvOf(exportRows(40)));
      await workspace.run('--no-push');
      const running = workspace.start('run', '--json');
      await until('5 requests have arrived', () => workspace.posts() >= 5);
      const file = join(tempFolder(), 'kept.db');
      const backup = documentOf<BackupDocument>(await workspace.cli('backup', file, '--json'));
      const run = documentOf(await running.ended);

      expect(run).toMatchObject({ exit: 'done', states: { accepted: 40 } });
      expect(statsOf(workspace.sandbox.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
      expect(backup.attempts).toBeGreaterThanOrEqual(5);
      expect(backup.attempts).toBeLessThan(40);
      expect(backup).toMatchObject({ file, balanced: true, submissions: 40, bytes: statSync(file).size });
      expect(await sha256Of(file)).toBe(backup.sha256);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const copy = openLedger(file, systemClock());
      expect(await imbalances(copy)).toEqual([]);
      closeLedger(copy);
    },
  );

  it('replaces a file only with --force, and never the ledger itself', SLOW, async () => {
    const workspace = await delivered();
    const file = join(tempFolder(), 'kept.db');
    writeFileSync(file, 'something');
    const refused = await workspace.cli('backup', file);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/already exists.*--force/) });
    expect((await workspace.cli('backup', file, '--force')).code).toBe(0);
    expect(statSync(file).size).toBeGreaterThan(10_000);
    const own = await workspace.cli('backup', join(workspace.root, 'registrar.db'), '--force');
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining('belongs to the ledger itself') });
    expect(await workspace.books()).toMatchObject({ balanced: true, states: { accepted: 3 } });
  });

  it(
    'of a ledger whose books do not balance is kept with exit code 3, and replaces no earlier one',
    SLOW,
    async () => {
      const workspace = await delivered();
      const folder = tempFolder();
      expect((await workspace.cli('backup', join(folder, 'good.db'))).code).toBe(0);
      const sound = await sha256Of(join(folder, 'good.db'));
      breakBooks(workspace);
      const other = await workspace.cli('backup', join(folder, 'bad.db'), '--json');
      expect([other.code, documentOf<BackupDocument>(other).balanced]).toEqual([3, false]);
      expect((await workspace.cli('backup', join(folder, 'good.db'), '--force')).code).toBe(3);
      expect(await sha256Of(join(folder, 'good.db'))).toBe(sound);
      expect(readdirSync(folder).sort()).toEqual(['bad.db', 'good.db']);
    },
  );

  it('that is killed leaves no file of that name, and the next one tidies up', SLOW, async () => {
    const workspace = await delivered();
    const folder = join(tempFolder(), 'backups');
    mkdirSync(folder);
    const file = join(folder, 'kept.db');
    const killed = await workspace.startWith({ REGISTRAR_FAILPOINT: 'file-written' }, 'backup', file).ended;
    expect([killed.code, existsSync(file), readdirSync(folder).length]).toEqual([null, false, 1]);
    expect((await workspace.cli('backup', file)).code).toBe(0);
    expect(readdirSync(folder)).toEqual(['kept.db']);
  });

  it('on a full disk leaves nothing behind', SLOW, async () => {
    const workspace = await delivered();
    const file = join(tempFolder(), 'kept.db');
    // The statement that copies is the one that the disk has no room for.
    const failed = await workspace.startWith(sqlFaults({ SQL_FAULT: 'SQLITE_FULL:1' }), 'backup', file).ended;
    expect(failed).toMatchObject({ code: 74, stderr: expect.stringContaining('The disk is full') });
    expect(existsSync(file)).toBe(false);
  });
});

function breakBooks({ root }: TestWorkspace): void {
  const ledger = openLedger(join(root, 'registrar.db'), systemClock());
  damageLedger(ledger, 'update drop_file set rows_read = rows_read + 1');
  closeLedger(ledger);
}
