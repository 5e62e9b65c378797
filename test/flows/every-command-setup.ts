import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { type TestWorkspace, testWorkspace, until } from '../support/workspace.js';

/** Commands that go on until they are stopped, with their words and how each exits then. */
export const LASTING = {
  schedule: { line: 'schedule', exit: 143 },
  console: { line: 'console --listen 127.0.0.1:0', exit: 143 },
  sandbox: { line: 'sandbox --port 0', exit: 0 },
} as const;

/** Starts one of them as a program and ends it once it has begun. */
export async function endedByHand(workspace: TestWorkspace, name: keyof typeof LASTING) {
  const { line } = LASTING[name];
  const lasting = workspace.start(...line.split(' '), '--json', '--verbose');
  await until(`${line} has begun`, () =>
    /schedule started|console is served|baseUrl/.test(lasting.stderr() + lasting.stdout()),
  );
  lasting.kill('SIGTERM');
  return { line, exit: (await lasting.ended).code };
}

/** A workspace with a file in the inbox and beside it, and a schedule. */
export async function stockedWorkspace(): Promise<TestWorkspace> {
  const workspace = await testWorkspace({
    schedule: [{ cron: '0 0 1 1 *', do: ['run'] }],
    sandbox: { learners: { unknownContaining: 'unknown' } },
    skipReceivedCheck: 'an older ledger is restored',
  });
  const content = csvOf([...exportRows(3), exportRow(7, { email: 'unknown@example.org' })]);
  workspace.drop('a.csv', content);
  writeFileSync(join(workspace.root, 'a.csv'), content);
  mkdirSync(join(workspace.root, 'elsewhere'));
  return workspace;
}
