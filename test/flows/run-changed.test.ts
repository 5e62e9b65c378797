import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { tamper } from '../support/workspace-ledger.js';

/** What cron would mail about three successive runs, and their exit codes. */
async function threeRuns(workspace: TestWorkspace, env: Readonly<Record<string, string>> = {}) {
  const runs = [];
  for (let run = 0; run < 3; run++) runs.push(await workspace.cliWith(env, 'run', '--changed'));
  const mails = runs.map(({ stdout, stderr }) => stdout + stderr);
  return { first: mails[0] ?? '', later: mails.slice(1), codes: runs.map(({ code }) => code) };
}

it('run --changed is silent while nothing needs attention, shows each change once, and the end of it', async () => {
  const workspace = await testWorkspace({ environments: { main: { outage: '200ms' } } });
  workspace.drop('a.csv', csvOf(exportRows(2)));
  expect(await threeRuns(workspace)).toEqual({ first: '', later: ['', ''], codes: [0, 0, 0] });

  const stray = workspace.drop('stray.xls', 'x');
  const withFile = await threeRuns(workspace);
  expect(withFile).toMatchObject({ later: ['', ''], codes: [1, 1, 1] });
  expect(withFile.first.match(/stray\.xls/g)).toHaveLength(1);

  workspace.drop('b.csv', csvOf([exportRow(9, { at: '2024-11-31 08:00:00' })]));
  const withRow = await threeRuns(workspace);
  expect(withRow.later).toEqual(['', '']);
  expect(withRow.first).toMatch(/1 invalid[\s\S]*stray\.xls/);

  rmSync(stray);
  expect((await threeRuns(workspace)).later).toEqual(['', '']);
  await workspace.cli('dismiss', '--file', 'b.csv', '--because', 'a test');
  const well = await threeRuns(workspace);
  expect(well).toMatchObject({ later: ['', ''], codes: [0, 0, 0] });
  expect(well.first).toContain('Nothing needs attention.');
});

it('run --changed shows an outage, and a configuration that can’t be used, once, with the exit code of each run', async () => {
  const workspace = await testWorkspace({ environments: { main: { outage: '200ms' } } });
  workspace.drop('a.csv', csvOf(exportRows(2)));
  const outage = await threeRuns(workspace, { REGISTRAR_CLIENT_SECRET: 'wrong' });
  expect(outage).toMatchObject({ later: ['', ''], codes: [4, 4, 4] });
  expect(outage.first.match(/can't be used since/g)).toHaveLength(1);

  const config = join(workspace.root, 'registrar.yaml');
  const right = readFileSync(config, 'utf8');
  writeFileSync(config, right.replace('baseUrl', 'basUrl'));
  const wrong = await threeRuns(workspace);
  expect(wrong).toMatchObject({ later: ['', ''], codes: [2, 2, 2] });
  expect(wrong.first).toContain('did you mean baseUrl?');

  writeFileSync(config, right);
  const well = await threeRuns(workspace);
  expect(well).toMatchObject({ later: ['', ''], codes: [0, 0, 0] });
  expect(well.first).toContain('Nothing needs attention.');
  expect(readFileSync(join(workspace.root, 'registrar.last-shown'), 'utf8')).not.toContain('attention.');
});

it('run --changed shows why the books don’t balance', async () => {
  const workspace = await testWorkspace();
  workspace.drop('a.csv', csvOf(exportRows(2)));
  await workspace.run('--no-push');
  await tamper(workspace, 'update drop_file set staged = staged + 1');
  const { code, stderr } = await workspace.cli('run', '--changed');
  expect([code, stderr]).toEqual([3, expect.stringContaining('staged: 3 recorded, 2 found')]);
});
