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
  const delivers = async ({ stderr }: { stderr(): string }, reason: string, first: number) => {
    await until('the fault is logged', () => stderr().includes(reason), 60_000);
    remount(root, 'rw');
    workspace.drop(`${first}.csv`, csvOf(exportRows(3, first)));
    const before = workspace.sandbox.platform.completions().length;
    await until(
      'it is delivered',
      () => workspace.sandbox.platform.completions().length === before + 3,
      60_000,
    );
  };
  remount(root, 'ro');
  const program = workspace.start('schedule');
  await delivers(program, 'the file system is read-only', 0);
  program.kill('SIGTERM');
  expect((await program.ended).code).toBe(143);
  remount(root, 'ro');
  const service = workspace.begin('schedule');
  await delivers(service, 'mounted read-only', 10);
  service.stop();
  expect((await service.ended).code).toBe(130);
});
