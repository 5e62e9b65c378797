import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { testWorkspace, until } from '../support/workspace.js';

const BRIEF_WAITS = new URL('../../dist/test/support/brief-waits.js', import.meta.url).href;

it('a service whose ledger another program locks waits for it, whatever reload is requested meanwhile', {
  timeout: 180_000,
}, async () => {
  const workspace = await testWorkspace();
  await workspace.run();
  const other = new BetterSqlite3(join(workspace.root, 'registrar.db'));
  onTestFinished(() => void other.close());
  other.exec('begin immediate');
  // Instead of half a minute, which a test of doctor shows.
  const waitingBriefly = { NODE_OPTIONS: `--import ${BRIEF_WAITS}`, BRIEF_WAITS: '1' };
  const service = workspace.startWith(waitingBriefly, 'schedule');
  await until('the lock is reported', () => service.stderr().includes('was locked for'), 60_000);
  service.kill('SIGHUP');
  other.exec('rollback');
  workspace.drop('a.csv', csvOf(exportRows(3)));
  await until('the file is delivered', () => workspace.sandbox.platform.completions().length === 3, 60_000);
  expect(service.stderr()).toContain('registrar.yaml read again');
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(143);
});
