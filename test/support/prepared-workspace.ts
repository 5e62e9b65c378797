import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { afterFile } from './after-file.js';
import { freshDatabase } from './postgres-server.js';
import { type TestWorkspace, testWorkspace, type WorkspaceSpec } from './workspace.js';

/** Prepares a workspace in the given folder once for each test file; each call then makes a copy of it, with a ledger of its own. */
export function preparedWorkspace(
  prepare: (root: string) => Promise<TestWorkspace>,
): (spec?: WorkspaceSpec) => Promise<TestWorkspace> {
  /** null: not prepared for the file that runs. Without a database, the ledger is a file and copied with the others. */
  let kept: { readonly folder: string; readonly database: Database | null } | null = null;
  let receivedBefore: ReturnType<TestWorkspace['received']> = [];
  return async (spec = {}) => {
    if (kept === null) {
      const folder = mkdtempSync(join(tmpdir(), 'registrar-'));
      mkdirSync(join(folder, PREPARED));
      const workspace = await prepare(join(folder, PREPARED));
      receivedBefore = workspace.received();
      const database = workspace.database === null ? null : await freshDatabase(workspace.database);
      kept = { folder, database };
      afterFile(async () => {
        kept = null;
        await database?.drop();
        rmSync(folder, { recursive: true, force: true });
      });
    }
    const { folder, database } = kept;
    const root = mkdtempSync(join(folder, 'copy-'));
    cpSync(join(folder, PREPARED), root, { recursive: true });
    if (database === null) return testWorkspace({ ...spec, root, receivedBefore });
    const own = await freshDatabase(database.url);
    onTestFinished(own.drop);
    return testWorkspace({ ...spec, root, receivedBefore, ledger: own.url });
  };
}

type Database = Awaited<ReturnType<typeof freshDatabase>>;

const PREPARED = 'prepared';
