import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

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
  expect(workspace.files('.')).toContain('registrar.db');
});

/** What must not be in a text: the secret, in each form it may be written in, and any token. */
function leaks(text: string): string[] {
  const secrets = [SECRET, encodeURIComponent(SECRET), SECRET.slice(0, 12)].filter((form) =>
    text.includes(form),
  );
  return [...secrets, ...(TOKEN.exec(text) ?? [])];
}
