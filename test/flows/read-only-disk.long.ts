import { expect, it } from 'vitest';
import { csvOf, exportRows } from '../support/exports.js';
import { remount, smallFileSystem } from '../support/small-file-system.js';
import { testWorkspace, until } from '../support/workspace.js';

it('a service that starts on a read-only file system waits, new or with a ledger, and delivers once it can write', {
  timeout: 180_000,
  tags: ['mount'],
}, async () => {
  const root = smallFileSystem();
  const workspace = await testWorkspace({ root });
  for (const [first, reason] of [
    [0, 'the file system is read-only'],
    [10, 'mounted read-only'],
  ] as const) {
    remount(root, 'ro');
    const service = workspace.start('schedule');
    await until('the fault is logged', () => service.stderr().includes(reason), 60_000);
    remount(root, 'rw');
    workspace.drop(`${first}.csv`, csvOf(exportRows(3, first)));
    const before = workspace.sandbox.platform.completions().length;
    await until(
      'it is delivered',
      () => workspace.sandbox.platform.completions().length === before + 3,
      60_000,
    );
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(143);
  }
});
