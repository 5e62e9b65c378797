import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { testWorkspace, until } from '../support/workspace.js';
import { ledgerText } from '../support/workspace-ledger.js';

const SECRET = 'a-Secret/with+signs-4711';
const TOKEN = /sandbox-\d+-[0-9a-f]{32}/;

it('secrets and tokens are written nowhere, and addresses neither to the log nor to stderr', async () => {
  const scopes = ['completions:write'];
  const workspace = await testWorkspace({
    sandbox: {
      clients: [{ clientId: 'sandbox-client', clientSecret: SECRET, scopes }],
      faults: {
        schedule: [
          { kind: 'unauthorized', at: 3 },
          { kind: 'server-error', at: 5 },
          { kind: 'drop-after', at: 7 },
        ],
      },
    },
    env: { REGISTRAR_CLIENT_SECRET: SECRET },
  });
  workspace.drop(
    'a.csv',
    csvOf([
      ...exportRows(8),
      exportRow(9, { email: 'ada.unknown@example.org' }),
      exportRow(10, { email: 'broken@' }),
    ]),
  );
  workspace.drop('b.csv', 'who,what\nbea@example.org,1\n');
  const runs = [
    await workspace.cli('run', '--verbose'),
    await workspace.cli('rerun', '--all', '--verbose', '--json'),
    await workspace.cli('status', '--verbose'),
  ];
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 0]);
  expect(runs[0]?.stderr).toContain('"answered"');

  for (const { stdout, stderr } of runs) {
    expect(stderr).not.toMatch(/@|learner\d|unknown@/);
    for (const text of [stdout, stderr]) expect(leaks(text)).toEqual([]);
  }
  for (const path of workspace.files('.')) {
    expect([path, leaks(readFileSync(join(workspace.root, path), 'latin1'))]).toEqual([path, []]);
  }
  if (workspace.database === null) expect(workspace.files('.')).toContain('registrar.db');
  else expect(leaks(ledgerText(workspace))).toEqual([]);
});

it('an address in the name of a file is masked in the log and on the page, and in no name of a report’s file', async () => {
  const workspace = await testWorkspace();
  const rows = csvOf([...exportRows(3), exportRow(9, { at: 'never' })]);
  workspace.drop('transcript-ada.lovelace@northwind.example.csv', rows);
  workspace.drop('bea.kay@northwind.example.xls', 'nothing');
  workspace.drop('kim.doe@northwind.example.csv', 'Who,What\nada,C-1\n');
  const named = /lovelace|bea\.kay|kim\.doe|northwind/;
  const { stderr, report } = await workspace.run('--verbose');
  const log = stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(log.filter((line) => named.test(line))).toEqual([]);
  expect(log.filter((line) => line.includes('"file":"t…@n….csv"'))).not.toEqual([]);
  const page = readFileSync(join(report.reportFolder ?? '', 'report.html'), 'utf8');
  expect(named.exec(page)).toBeNull();
  expect(page).toContain('href="1.attention.csv"');
  expect(workspace.files('reports').filter((name) => named.test(name))).toEqual([]);
  const names = workspace.files('reports').map((path) => path.split('/')[1]);
  expect(names).toContain('1.attention.csv');

  const daemon = workspace.begin('schedule');
  workspace.drop('joe.roe@northwind.example.csv', csvOf(exportRows(2, 50)));
  await until('it is taken in', () => daemon.stderr().includes('drop published'));
  daemon.stop();
  const lines = (await daemon.ended).stderr.split('\n').filter((line) => line.startsWith('{'));
  expect(lines.filter((line) => /joe\.roe|northwind/.test(line))).toEqual([]);
});

/** What a text must not contain: the secret, in each form that it may have, and any token. */
function leaks(text: string): string[] {
  const secrets = [SECRET, encodeURIComponent(SECRET), SECRET.slice(0, 12)].filter((form) =>
    text.includes(form),
  );
  return [...secrets, ...(TOKEN.exec(text) ?? [])];
}
