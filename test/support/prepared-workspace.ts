import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { freshDatabase } from './postgres-server.js';
import { type TestWorkspace, testWorkspace, type WorkspaceSpec } from './workspace.js';

/** Prepares a workspace in the given folder once; each call then makes a copy of it, with a ledger of its own. */
export function preparedWorkspace(
  prepare: (root: string) => Promise<TestWorkspace>,
): (spec?: WorkspaceSpec) => Promise<TestWorkspace> {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
  const source = join(folder, 'prepared');
  /** null: the ledger is a file, and copied with the others. */
  let kept: Awaited<ReturnType<typeof freshDatabase>> | null | undefined;
  let receivedBefore: ReturnType<TestWorkspace['received']> = [];
  afterAll(async () => {
    await kept?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (spec = {}) => {
    if (kept === undefined) {
      mkdirSync(source);
      const { database, received } = await prepare(source);
      receivedBefore = received();
      kept = database === null ? null : await freshDatabase(database);
    }
    const root = mkdtempSync(join(folder, 'copy-'));
    cpSync(source, root, { recursive: true });
    if (kept === null) return testWorkspace({ ...spec, root, receivedBefore });
    const own = await freshDatabase(kept.url);
    onTestFinished(own.drop);
    return testWorkspace({ ...spec, root, receivedBefore, ledger: own.url });
  };
}
