import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { freshDatabase } from '../support/postgres-server.js';
import { preparedWorkspace } from '../support/prepared-workspace.js';
import { sampled } from '../support/samples.js';
import { tempFolder } from '../support/temp-folder.js';
import { type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const SLOW = { timeout: 300_000 };

export interface CopyDocument {
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly sha256: string }[];
  readonly balanced: boolean;
  readonly doubted: number;
  readonly working: readonly number[];
  readonly submissions: number;
}

export async function database(): Promise<string> {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}

const SPEC = { skipReceivedCheck: 'its ledger goes on elsewhere' };

const copy = preparedWorkspace(async (root) => {
  const workspace = await testWorkspace({ ...SPEC, root });
  const rows = exportRows(8).map((row, n) =>
    n === 1 ? { ...row, email: 'unknown@x.example' } : n === 2 ? { ...row, email: 'no-address' } : row,
  );
  workspace.drop('a.csv', csvOf(rows));
  await workspace.run();
  expect((await workspace.cli('dismiss', '--state', 'rejected', '--because', 'gone')).code).toBe(0);
  expect((await workspace.cli('token', 'add', 'billing', '--role', 'viewer')).code).toBe(0);
  workspace.drop('b.csv', csvOf(exportRows(5, 100)));
  await workspace.run('--no-push');
  return workspace;
});

/** A workspace whose ledger has delivered, rejected, invalid and waiting rows, a decision and a token: made once, and copied. */
export const worked = (): Promise<TestWorkspace> => copy(SPEC);

/** Kills a copy while it is made, then makes it again. */
export async function killedInTheMiddle(kind: 'file' | 'database'): Promise<void> {
  const workspace = await worked();
  const url = kind === 'database' ? await database() : '';
  const folder = tempFolder();
  const to = kind === 'database' ? '${NEW_LEDGER}' : join(folder, 'copy.db');
  for (const hit of sampled([1, 40, 20])) {
    const env = { NEW_LEDGER: url, REGISTRAR_FAILPOINT: `table-copied:${hit}` };
    const killed = await workspace.startWith(env, 'ledger', 'copy', '--to', to).ended;
    expect(killed.code).toBeNull();
    expect(existsSync(join(folder, 'copy.db'))).toBe(false);
  }
  const { code, stdout } = await workspace.cliWith(
    { NEW_LEDGER: url },
    'ledger',
    'copy',
    '--to',
    to,
    '--json',
  );
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { balanced: true, submissions: 12 }]);
  expect(readdirSync(folder)).toEqual(kind === 'database' ? [] : ['copy.db']);
}
