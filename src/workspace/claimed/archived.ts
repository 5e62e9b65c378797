import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { errorCode, ioError } from '../files/io-error.js';
import type { WorkspacePaths } from '../folders.js';
import { isClaimedName } from './claim-drop.js';
import { correctionNumber } from './move-claimed.js';

/** The files of archive/ with a drop's number in their names; other people's files there are left out. */
export function listArchived({ archive }: Pick<WorkspacePaths, 'archive'>) {
  return filesIn(archive).flatMap(({ source, name, path }) => {
    const [, number] = /^(\d{1,15})-/.exec(name) ?? [];
    return number === undefined ? [] : [{ source, path, dropId: Number(number) }];
  });
}

/** The files of archive/ that became these decisions to correct. */
export function listCorrections(
  { archive }: Pick<WorkspacePaths, 'archive'>,
  decisionIds: readonly number[],
): string[] {
  const beginnings = decisionIds.map((id) => `${correctionNumber(id)}-`);
  return filesIn(archive).flatMap(({ name, path }) =>
    beginnings.some((beginning) => name.startsWith(beginning)) ? [path] : [],
  );
}

/** The highest drop number in the names of archive/; 0: there is none. */
export function highestArchived(paths: Pick<WorkspacePaths, 'archive'>): number {
  return listArchived(paths).reduce((highest, { dropId }) => Math.max(highest, dropId), 0);
}

/** The first file that only a workspace with a ledger has: imported, being imported, or a run's report; null: there is none. */
export function firstTrace(paths: Omit<WorkspacePaths, 'inbox'>): string | null {
  const [archived] = listArchived(paths);
  if (archived !== undefined) return archived.path;
  const claimed = filesIn(paths.processing).find(({ name }) => isClaimedName(name));
  if (claimed !== undefined) return claimed.path;
  // A folder elsewhere may belong to several workspaces.
  if (!paths.reports.startsWith(paths.root + sep)) return null;
  const report = foldersIn(paths.reports).find((name) => /-run-\d+$/.test(name));
  return report === undefined ? null : join(paths.reports, report);
}

/** The files in the folders of processing/ or archive/, a folder for each source. */
export function filesIn(parent: string) {
  return foldersIn(parent).flatMap((source) => {
    const files = entriesOf(join(parent, source)).filter((entry) => entry.isFile());
    return files.map(({ name }) => ({ source, name, path: join(parent, source, name) }));
  });
}

function foldersIn(path: string): string[] {
  return entriesOf(path)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw ioError('look for files that the ledger has imported', path, error);
  }
}
