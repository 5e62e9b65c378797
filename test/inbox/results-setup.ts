import { readdirSync } from 'node:fs';
import { csvOf, exportRows } from '../support/exports.js';
import type { SftpFolder } from '../support/sftp-server.js';
import { documentOf, type TestWorkspace, testWorkspace } from '../support/workspace.js';

export const csv = (count: number, from = 0) => csvOf(exportRows(count, from));

/** Few rows with courses so long that their result takes more than one packet. */
export const longCsv = (count: number) =>
  csvOf(exportRows(count).map((row) => ({ ...row, course: row.course.padEnd(2_000, '-') })));

export const NAMES = ['accepted.csv', 'json', 'refused.csv'].map((end) => `march.csv.result-1.${end}`);

interface StatusDocument {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

export const stateOf = async (workspace: TestWorkspace) =>
  documentOf<StatusDocument>(await workspace.cli('status', '--json')).results[0];

/** A workspace whose results go to the server. */
export function sftpSender(
  { settings }: Pick<SftpFolder, 'settings'>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestWorkspace> {
  return testWorkspace({ sources: { academy: { results: { sftp: { ...settings, ...more } } } } });
}

export const served = ({ folder }: Pick<SftpFolder, 'folder'>) => readdirSync(folder).sort();
