import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BACKUP_TEST_FILE } from '../../src/actions/upkeep/backup-test.js';
import { systemClock } from '../../src/domain/clock.js';
import { closeLedger, openLedger } from '../../src/ledger/store/open.js';
import { sha256Of } from '../../src/workspace/files/copy-verified.js';
import { damageLedger } from '../support/damage.js';
import { csvOf, exportRows } from '../support/exports.js';
import { tempFolder } from '../support/temp-folder.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

interface Checks {
  readonly checks: readonly { readonly check: string; readonly subject: string; readonly message: string }[];
}

async function backedUp(): Promise<{ workspace: TestWorkspace; file: string }> {
  const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is lost' });
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await workspace.run();
  const file = join(tempFolder(), 'kept.db');
  expect((await workspace.cli('backup', file)).code).toBe(0);
  return { workspace, file };
}

async function toldByDoctor(workspace: TestWorkspace) {
  const { checks } = documentOf<Checks>(await workspace.cli('doctor', '--offline', '--json'));
  return checks.filter(({ check, subject }) => check === 'health' && subject === 'backup');
}

/** Some page of it is not what was written; its header is. */
function damagedPage(from: string): string {
  const bytes = readFileSync(from);
  const file = join(tempFolder(), 'damaged.db');
  writeFileSync(file, bytes.fill(0x55, bytes.length - 16_384));
  return file;
}

/** Its content differs from what was staged, and SQLite finds no fault. */
function damagedCells(from: string): string {
  const file = join(tempFolder(), 'cells.db');
  copyFileSync(from, file);
  const ledger = openLedger(file, systemClock());
  damageLedger(ledger, "update submission set digest = x'0011223344556677' where submission_id = 1");
  closeLedger(ledger);
  return file;
}

/** Several processes, each of which takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('registrar backup --verify', () => {
  it('restores a backup for a test, notes that for doctor, and changes nothing else', SLOW, async () => {
    const { workspace, file } = await backedUp();
    const state = async () => ({
      names: workspace.files('.').filter((name) => name !== BACKUP_TEST_FILE),
      ledger: await sha256Of(join(workspace.root, 'registrar.db')),
      backup: await sha256Of(file),
    });
    const before = await state();
    const { code, ...result } = await workspace.cli('backup', '--verify', file, '--json');
    const document = documentOf<{ testedAt: string }>({ code, ...result });
    expect([code, document]).toEqual([
      0,
      {
        file,
        bytes: statSync(file).size,
        sha256: before.backup,
        testedAt: expect.any(String),
        damaged: 0,
        drops: 1,
        rows: 4,
        submissions: 3,
        accepted: 3,
        attempts: 3,
        newestRunAt: expect.any(String),
        newestAttemptAt: expect.any(String),
      },
    ]);
    expect(await state()).toEqual(before);
    expect(statSync(join(workspace.root, BACKUP_TEST_FILE)).mode & 0o777).toBe(0o600);
    expect(await toldByDoctor(workspace)).toEqual([]);
    rmSync(join(workspace.root, 'registrar.db'));
    const lost = await workspace.cli('backup', file, '--verify');
    expect([lost.code, lost.stdout]).toEqual([0, expect.stringMatching(/is sound, and its books balance/)]);
    expect(workspace.files('.')).not.toContain('registrar.db');
  });

  it(
    'recognizes a damaged backup, by its pages and by its content, and doctor reports it',
    SLOW,
    async () => {
      const { workspace, file } = await backedUp();
      const text = join(tempFolder(), 'text.db');
      writeFileSync(text, 'no ledger');
      const cut = join(tempFolder(), 'cut.db');
      writeFileSync(cut, readFileSync(file).subarray(0, 60_000));
      const before = workspace.files('.');
      for (const damaged of [damagedPage(file), text, cut]) {
        const { code, stderr } = await workspace.cli('backup', '--verify', damaged);
        expect([code, stderr]).toEqual([74, expect.stringContaining(`${damaged} is damaged`)]);
        expect(stderr).toContain('make another one');
        expect(stderr).not.toContain('.tmp');
        expect(await toldByDoctor(workspace)).toMatchObject([
          {
            verdict: 'broken',
            message: expect.stringMatching(/^The last backup can't be restored: .* is damaged/),
            remedy: expect.stringContaining('--verify'),
          },
        ]);
      }
      const cells = await workspace.cli('backup', '--verify', damagedCells(file), '--json');
      expect([cells.code, documentOf(cells)]).toEqual([74, expect.objectContaining({ damaged: 1 })]);
      expect((await toldByDoctor(workspace))[0]?.message).toMatch(/what it keeps of 1 row is damaged\.$/);
      expect(workspace.files('.')).toEqual([...before, BACKUP_TEST_FILE].sort());
    },
  );

  it('refuses one whose books do not balance, with 3', SLOW, async () => {
    const { workspace, file } = await backedUp();
    const ledger = openLedger(file, systemClock());
    damageLedger(ledger, 'update drop_file set rows_read = rows_read + 1');
    closeLedger(ledger);
    expect(await workspace.cli('backup', '--verify', file)).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/books of .*kept\.db don't balance/),
    });
    expect(await toldByDoctor(workspace)).toMatchObject([{ verdict: 'broken' }]);
  });

  it('refuses what isn’t a backup of this workspace, and records nothing of it', SLOW, async () => {
    const { workspace, file } = await backedUp();
    const other = await backedUp();
    const refused: [readonly string[], RegExp][] = [
      [[other.file], /is a backup of a different ledger than this workspace's.*--workspace DIR/],
      [[join(workspace.root, 'nothing.db')], /there is no file .*nothing\.db/],
      [[workspace.root], /is a folder/],
      [[join(workspace.root, 'registrar.db')], /is the ledger itself/],
      [[file, '--force'], /'--verify' cannot be used with option '--force'/],
    ];
    for (const [args, sentence] of refused) {
      const { code, stderr } = await workspace.cli('backup', '--verify', ...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(sentence)]);
    }
    expect(workspace.files('.')).not.toContain(BACKUP_TEST_FILE);
  });
});
