import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { freshDatabase } from '../support/postgres-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { CREDENTIALS, documentOf, startCli, testWorkspace, until } from '../support/workspace.js';

const SLOW = { timeout: 300_000 };
const ROWS = 50;

it('two machines deliver the rows of one database, and one of them is killed', SLOW, async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const here = await testWorkspace({
    ledger: url,
    sandbox: { quota: { requests: 10, perMs: 500 } },
    // The requests of the killed machine count as under way for so long.
    environments: { main: { deadline: '5s' } },
    skipReceivedCheck: 'its ledger is a database',
  });
  here.drop('a.csv', csvOf(exportRows(ROWS)));
  expect((await here.run('--no-push')).report.rows).toBe(ROWS + 1);
  // A machine without the files: the same registrar.yaml, and a folder of its own.
  const other = tempFolder();
  copyFileSync(join(here.root, 'registrar.yaml'), join(other, 'registrar.yaml'));
  const env = { ...CREDENTIALS, REGISTRAR_LEDGER_URL: url };
  const first = startCli(['run', '--json'], { cwd: other, env });
  await until('the other machine delivers', () => here.posts() >= 15);
  const beside = await here.run();
  expect(beside.report.exit).toBe('done');
  expect(beside.report.pushes.main).toMatchObject({ kind: 'elsewhere' });
  first.kill('SIGKILL');
  expect((await first.ended).code).toBeNull();

  const { report } = await here.run();
  expect([report.balanced, report.exit]).toEqual([true, 'done']);
  const { states, attempts } = documentOf<{
    readonly states: Readonly<Record<string, number>>;
    readonly attempts: { readonly open: number };
  }>(await here.cli('report', '--json'));
  expect([states.accepted, attempts.open]).toEqual([ROWS, 0]);
  // Requests of the killed machine without an answer may arrive twice, and are marked.
  expect(here.sandbox.platform.received.filter(({ path }) => path.startsWith('/api/')).length).toBeLessThan(
    ROWS + 12,
  );
});

it(
  'a database that was restored sends nothing by itself until a person finishes the restore',
  SLOW,
  async () => {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    const workspace = await testWorkspace({
      ledger: url,
      // After a restore the quota is left alone for two deadlines.
      environments: { main: { deadline: '5s' } },
      skipReceivedCheck: 'its ledger is a database',
    });
    workspace.drop('a.csv', csvOf(exportRows(5)));
    await workspace.run('--no-push');
    const refused = await workspace.cli('restore', 'kept.db', '--because', 'x');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a database, not a file')]);
    const held = await workspace.cli('restore', '--set-back', '--because', 'last night', '--json');
    expect([held.code, documentOf<{ held: number }>(held)]).toMatchObject([1, { held: 5 }]);
    await workspace.run();
    expect(workspace.posts()).toBe(0);
    expect((await workspace.cli('restore', '--finish', '--because', 'looked them up')).code).toBe(0);
    expect((await workspace.cli('rerun', '--state', 'held', '--because', 'none was delivered')).code).toBe(0);
    expect(workspace.posts()).toBe(5);
  },
);

it('backup and restore refuse a database, and say who backs it up', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const workspace = await testWorkspace({ ledger: url });
  const file = join(tempFolder(), 'kept.db');
  for (const args of [
    ['backup', file],
    ['restore', file, '--because', 'x'],
  ]) {
    const { code, stderr } = await workspace.cli(...args);
    expect([args, code, stderr]).toEqual([
      args,
      2,
      expect.stringMatching(/is a database, not a file: its own tools back it up and restore it\. \S/),
    ]);
  }
  expect(existsSync(file)).toBe(false);
});

it('doctor checks the database whatever else is wrong in registrar.yaml', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const workspace = await testWorkspace({ ledger: url });
  workspace.drop('a.csv', csvOf(exportRows(2)));
  await workspace.run();
  const path = join(workspace.root, 'registrar.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"submit-completion"', '"submit"'));
  const { code, stdout } = await workspace.cli('doctor');
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/^ok +ledger +the database .*its books balance/m),
  ]);
});
