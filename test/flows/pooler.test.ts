import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { findProgram } from '../support/find-program.js';
import { freePort } from '../support/ports.js';
import { freshDatabase } from '../support/postgres-server.js';
import { tempFolder } from '../support/temp-folder.js';
import { IS_ROOT } from '../support/users.js';
import { testWorkspace, until } from '../support/workspace.js';

/** Starts PgBouncer in front of a database's server; ended with the test. @returns the database's address there. */
async function pooled(url: string): Promise<string> {
  const folder = tempFolder();
  // It refuses to run as root.
  chmodSync(folder, 0o777);
  const behind = new URL(url);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${behind.hostname} port=${behind.port} user=${behind.username}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    'pool_mode = session',
    `logfile = ${join(folder, 'log')}`,
  ];
  writeFileSync(config, `${settings.join('\n')}\n`);
  const asNobody = IS_ROOT ? ['-u', 'nobody'] : [];
  const program = spawn(findProgram('pgbouncer') ?? '', [...asNobody, config], { stdio: 'ignore' });
  onTestFinished(() => void program.kill('SIGKILL'));
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

it('rows are delivered through a pooler of sessions', { tags: ['pgbouncer'] }, async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const workspace = await testWorkspace({
    ledger: await pooled(url),
    skipReceivedCheck: 'its ledger is a database',
  });
  workspace.drop('a.csv', csvOf(exportRows(8)));
  const service = workspace.begin('schedule');
  await until('all is delivered', () => workspace.posts() === 8);
  service.stop();
  expect((await service.ended).code).toBe(130);
  const { balanced, states } = await workspace.books();
  expect([balanced, states.accepted]).toEqual([true, 8]);
});
