import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { onlyForFiles } from '../support/only-for-files.js';
import { testWorkspace, until } from '../support/workspace.js';

/** Several processes, each of which takes seconds on a busy machine. */
const SLOW = { timeout: 300_000 };

describe('a ledger that has lost content', () => {
  it('because the log of a killed run was deleted is refused, and what it may have sent is not sent again', {
    ...SLOW,
    ...onlyForFiles('its log'),
  }, async () => {
    const workspace = await testWorkspace({ skipReceivedCheck: 'its ledger is set back' });
    const ledger = join(workspace.root, 'registrar.db');
    workspace.drop('a.csv', csvOf(exportRows(12)));
    await workspace.run('--no-push');
    // As SQLite leaves the file while all that is new is in its log.
    const withoutLog = readFileSync(ledger);
    const killed = workspace.startWith({ REGISTRAR_FAILPOINT: 'answer-recorded:5' }, 'run');
    expect((await killed.ended).code).toBe(null);
    const sent = workspace.posts();
    for (const suffix of ['-wal', '-shm']) rmSync(ledger + suffix, { force: true });
    writeFileSync(ledger, withoutLog);

    for (const command of ['run', 'status']) {
      const { code, stderr } = await workspace.cli(command);
      expect([code, stderr]).toEqual([
        74,
        expect.stringMatching(/older than before.*registrar\.db-wal, was removed/s),
      ]);
    }
    const doctor = await workspace.cli('doctor', '--offline');
    expect([doctor.code, doctor.stdout]).toEqual([
      74,
      expect.stringMatching(/broken +ledger .*older than before/),
    ]);

    // What to do without a backup, as the sentence says.
    renameSync(ledger, join(workspace.root, 'older.db'));
    const restored = await workspace.cli(
      'restore',
      join(workspace.root, 'older.db'),
      '--because',
      'no backup',
    );
    expect(restored.code).toBe(1);
    await workspace.run();
    expect([workspace.posts(), workspace.states()]).toEqual([sent, { held: 12 }]);
  });

  it(
    'that lacks files of archive/ reports them at each run and in doctor, until they are imported again',
    SLOW,
    async () => {
      const workspace = await testWorkspace();
      const path = workspace.drop('a.csv', csvOf(exportRows(2)));
      mkdirSync(join(workspace.root, 'kept'));
      copyFileSync(path, join(workspace.root, 'kept', 'b.csv'));
      expect((await workspace.run()).code).toBe(0);
      const lost = join(workspace.root, 'archive', 'academy', '7-b.csv');
      renameSync(join(workspace.root, 'kept', 'b.csv'), lost);
      const { code, stderr } = await workspace.run();
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/doesn't know 1 file of source academy .*7-b\.csv\. Put it into the inbox/),
      ]);
      expect((await workspace.cli('doctor', '--offline')).stdout).toMatch(/attention +work .*7-b\.csv/);
      renameSync(lost, join(workspace.root, 'inbox', 'academy', 'b.csv'));
      expect((await workspace.run()).code).toBe(0);
    },
  );

  it('that was moved away under the scheduler stops its runs, and nothing is sent', {
    ...SLOW,
    ...onlyForFiles('its place'),
  }, async () => {
    const workspace = await testWorkspace({ schedule: [{ cron: '* * * * * *', do: ['run'] }] });
    const daemon = workspace.begin('schedule');
    await until('it runs', () => workspace.query('select 1 from run').length > 0);
    const ledger = join(workspace.root, 'registrar.db');
    const moved = join(workspace.root, 'moved.db');
    renameSync(ledger, moved);
    const noticed = () => daemon.stderr().split('was moved away or deleted while this process').length - 1;
    await until('it is noticed', () => noticed() > 0);
    workspace.drop('a.csv', csvOf(exportRows(2)));
    const before = noticed();
    await until('another run could have been', () => noticed() > before + 1);
    expect([workspace.posts(), workspace.files('inbox')]).toEqual([0, ['academy/a.csv']]);
    renameSync(moved, ledger);
    await until('it goes on', () => workspace.posts() === 2);
    daemon.stop();
    expect((await daemon.ended).code).toBe(130);
  });
});
