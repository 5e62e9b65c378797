import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunPlan } from '../../src/documents/run.js';
import { csvOf, exportRows } from '../support/exports.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';

it('a dry run shows what a run would import and deliver, and leaves everything unchanged', async () => {
  const workspace = await testWorkspace();
  workspace.drop('first.csv', csvOf(exportRows(3)));
  await workspace.run('--no-push');
  const content = csvOf(exportRows(2, 50));
  workspace.drop('second.csv', content);
  const before = [workspace.files(''), ledgerText(workspace)];

  const { sources, unmatched, environments } = await planOf(workspace);
  expect(sources).toEqual([
    {
      source: 'academy',
      files: [{ file: 'second.csv', bytes: content.length, restsForMs: 0 }],
      remote: [],
      claimed: 0,
      obstacle: null,
    },
  ]);
  expect(unmatched).toEqual([]);
  expect(environments).toMatchObject([{ environment: 'main', rows: 3, requests: 3 }]);
  const { code, stdout } = await workspace.cli('run', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^academy: 1 file in the inbox\n {2}second\.csv: \d+ bytes\nmain: 3 rows in /);
  expect([workspace.files(''), ledgerText(workspace)]).toEqual(before);
  expect(workspace.posts()).toBe(0);
});

it('rows that are sent together count as the requests that a run then makes', async () => {
  const workspace = await testWorkspace({ sources: { skills: { operation: 'add-skills' } } });
  workspace.drop('skills.csv', 'Content ID,Skill\nC-1,Go\nC-2,Python\nC-1,Ruby\nC-1,SQL\n', 'skills');
  await workspace.run('--no-push');
  const { environments } = await planOf(workspace);
  expect(environments).toMatchObject([{ rows: 4, requests: 2 }]);
  await workspace.run();
  expect(workspace.posts()).toBe(2);
});

it('a file that must rest first is shown with the time it needs', async () => {
  const workspace = await testWorkspace({ sources: { academy: { stableFor: '1h' } } });
  workspace.drop('young.csv', 'x');
  const [academy] = (await planOf(workspace)).sources;
  expect(academy?.files).toMatchObject([{ file: 'young.csv' }]);
  expect(academy?.files[0]?.restsForMs).toBeGreaterThan(3_000_000);
});

it('a plan shows why a source can’t be imported, with a remedy, and reads the other sources', async () => {
  const workspace = await testWorkspace({ sources: { academy: {}, away: { inbox: '/nowhere/at/all' } } });
  workspace.drop('good.csv', csvOf(exportRows(3)));
  await workspace.run('--source', 'academy');
  const yaml = join(workspace.root, 'registrar.yaml');
  writeFileSync(yaml, readFileSync(yaml, 'utf8').replace('Europe/Berlin', 'Asia/Tokyo'));
  const [academy, away] = (await planOf(workspace)).sources;
  expect(academy?.obstacle).toEqual({
    message: expect.stringContaining('timeZone was "Europe/Berlin" and is "Asia/Tokyo"'),
    hint: expect.stringContaining('registrar run --confirm academy'),
    confirmable: true,
  });
  expect(away?.obstacle).toMatchObject({
    message: expect.stringContaining('/nowhere/at/all'),
    confirmable: false,
  });
  const [confirmed] = (await planOf(workspace, '--confirm', 'academy')).sources;
  expect(confirmed?.obstacle).toBeNull();
});

it('a dry run before the first run creates no ledger and no folder', async () => {
  const workspace = await testWorkspace({ hasNoLedger: true });
  const { sources, environments } = await planOf(workspace);
  expect(sources).toEqual([{ source: 'academy', files: [], remote: [], claimed: 0, obstacle: null }]);
  expect(environments).toEqual([
    {
      environment: 'main',
      rows: 0,
      requests: 0,
      estimatedMs: 0,
      estimatedEnd: null,
      quota: { requests: 70, perMs: 500 },
      deliverBy: null,
    },
  ]);
  expect(existsSync(join(workspace.root, 'registrar.db'))).toBe(false);
  expect(existsSync(join(workspace.root, 'inbox'))).toBe(false);
});

async function planOf(workspace: TestWorkspace, ...args: string[]): Promise<RunPlan> {
  return documentOf<RunPlan>(await workspace.cli('run', '--dry-run', '--json', ...args));
}
