import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvOf, exportRows } from '../support/exports.js';
import type { SftpFolder } from '../support/sftp-server.js';
import { type TestWorkspace, testWorkspace, type WorkspaceSpec } from '../support/workspace.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

/** Writes a file as a careful sender does. */
export function send({ folder }: Pick<SftpFolder, 'folder'>, name: string, text: string | Buffer): void {
  writeFileSync(join(folder, '.sending'), text);
  renameSync(join(folder, '.sending'), join(folder, name));
}

/** A workspace whose source reads the server. */
export function readerOf(
  server: Pick<SftpFolder, 'settings'>,
  more: Readonly<Record<string, unknown>> = {},
  spec: Pick<WorkspaceSpec, 'hasNoLedger'> = {},
): Promise<TestWorkspace> {
  return testWorkspace({
    ...spec,
    sources: { academy: { inbox: { sftp: { ...server.settings, ...more } } } },
  });
}

/** Names on the server, without its archive. */
export const served = ({ folder }: Pick<SftpFolder, 'folder'>) =>
  readdirSync(folder)
    .filter((name) => name !== 'archive')
    .sort();

export const archived = ({ folder }: Pick<SftpFolder, 'folder'>) => {
  const path = join(folder, 'archive');
  return existsSync(path) ? readdirSync(path).sort() : [];
};
