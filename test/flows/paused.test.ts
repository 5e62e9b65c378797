import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

const REASON = 'the vendor migrates until Monday';

interface Findings {
  readonly health: { readonly findings: readonly { readonly code: string; readonly message: string }[] };
}

const findings = async (workspace: TestWorkspace) =>
  documentOf<Findings>(await workspace.cli('status', '--json')).health.findings.map(
    ({ code, message }) => `${code}: ${message}`,
  );

it('a paused source leaves its files in the inbox, others go on, and status says why until it is resumed', async () => {
  const workspace = await testWorkspace({ sources: { academy: { paused: REASON }, other: {} } });
  workspace.drop('march.csv', csvOf(exportRows(2)));
  workspace.drop('april.csv', csvOf([exportRow(9)]), 'other');
  await workspace.run();
  expect(workspace.files('inbox')).toEqual(['academy/march.csv']);
  expect(workspace.states()).toEqual({ accepted: 1 });
  await workspace.run('--source', 'academy');
  expect(workspace.files('inbox')).toEqual(['academy/march.csv']);
  expect(await findings(workspace)).toEqual([`paused: Source academy is paused: ${REASON}.`]);

  setSources(workspace, { paused: undefined });
  await workspace.run();
  expect([workspace.files('inbox'), workspace.states()]).toEqual([[], { accepted: 3 }]);
  expect(await findings(workspace)).toEqual([]);
});

it('a paused environment gets no request, its rows wait, and all of them are delivered afterwards', async () => {
  const workspace = await testWorkspace({ environments: { main: { paused: REASON } } });
  workspace.drop('march.csv', csvOf(exportRows(3)));
  await workspace.run();
  expect([workspace.query('select * from attempt').length, workspace.states()]).toEqual([0, { waiting: 3 }]);
  expect(await findings(workspace)).toEqual([`paused: Environment main is paused: ${REASON}.`]);
  expect((await workspace.cli('healthcheck', '--work')).code).not.toBe(0);

  const file = join(workspace.root, 'registrar.yaml');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  delete config.environments.main.paused;
  writeFileSync(file, JSON.stringify(config));
  await workspace.run();
  expect(workspace.states()).toEqual({ accepted: 3 });
});
