import { onTestFinished } from 'vitest';
import {
  type ActionContext,
  closeWorkspace,
  openWorkspace,
  readWorkspace,
} from '../../src/actions/context.js';
import { writeFirstLedger } from './empty-ledger.js';
import { CREDENTIALS, type TestWorkspace } from './workspace.js';

/** A test's workspace as a long-lived process has it open; closed when the test ends. */
export async function workspaceContext(
  { root }: Pick<TestWorkspace, 'root'>,
  env: Readonly<Record<string, string>> = CREDENTIALS,
): Promise<ActionContext> {
  writeFirstLedger(root);
  const context = await openWorkspace(readWorkspace(root, { env, cwd: root }));
  onTestFinished(() => closeWorkspace(context));
  return context;
}
