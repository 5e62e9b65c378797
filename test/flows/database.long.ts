import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { freshDatabase } from '../support/postgres-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { testWorkspace } from '../support/workspace.js';

it('every command of an operator works on a database, or refuses with a sentence', {
  timeout: 300_000,
}, async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const workspace = await testWorkspace({ ledger: url, skipReceivedCheck: 'its ledger is a database' });
  const rows = exportRows(4).map((row, n) =>
    n === 1 ? { ...row, email: 'unknown@x.example' } : n === 2 ? { ...row, email: 'no-address' } : row,
  );
  workspace.drop('a.csv', csvOf(rows));
  expect((await workspace.run()).code).toBe(1);
  const codes: Record<string, number | null> = {};
  for (const args of [
    ['status'],
    ['report'],
    ['trace', 'a.csv:2'],
    ['trace', 'unknown@x.example'],
    ['map', 'unknown@x.example', 'known@x.example', '--because', 'moved'],
    ['run'],
    ['correct', 'a.csv:4', '--set', 'Email=bea@x.example', '--because', 'asked'],
    ['run'],
    ['restage', 'a.csv', '--because', 'again'],
    ['rerun', '--state', 'rejected', '--because', 'again'],
    ['doctor', '--offline'],
    ['backup', join(tempFolder(), 'kept.db')],
    ['forget', 'known@x.example', '--because', 'asked'],
    ['run'],
  ]) {
    const { code, stderr } = await workspace.cli(...args);
    codes[args.slice(0, 2).join(' ')] = code;
    expect(stderr, args.join(' ')).not.toMatch(/a bug in Registrar/);
  }
  expect(codes).toMatchObject({ status: 0, report: 0, run: 0, 'trace a.csv:2': 0 });
  const { report } = await workspace.run();
  expect(report.balanced).toBe(true);
});
