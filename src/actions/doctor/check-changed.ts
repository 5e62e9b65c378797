import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { arrivedFiles } from '../../ledger/drops/arrived-files.js';
import type { Ledger } from '../../ledger/store/query.js';
import { errorCode } from '../../workspace/files/io-error.js';
import { fromWorkspace, type WorkspacePaths } from '../../workspace/folders.js';
import { changedFiles } from '../../workspace/taken/changed-files.js';
import { type Finding, findings } from './finding.js';

const archive = findings('archive', 'io');

/** Checks by sizes and times whether the files in archive/ are still what was taken in. Looks at all of them. */
export async function* checkChanged(ledger: Ledger, paths: WorkspacePaths): AsyncGenerator<Finding> {
  const { taken } = await arrivedFiles(ledger, 'all');
  let isWell = true;
  for (const source of await foldersIn(paths.archive)) {
    const changed = await changedFiles(join(paths.archive, source), taken, ledger.clock.nowMs());
    for (const { path, drop, grew } of changed) {
      isWell = false;
      yield archive.attention(
        fromWorkspace(path, paths),
        `${grew ? 'has grown' : 'was written anew'} since it was taken in as drop ${drop.dropId}`,
        taken.get(drop.dropId)?.isWatched === true
          ? 'The next registrar run takes in what it holds now.'
          : 'It came in long ago: to take in what it holds now, put a copy of it into the inbox.',
      );
    }
  }
  if (isWell) yield archive.ok('all', 'no file has changed since it was taken in');
}

async function foldersIn(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    // A fault of the folder itself is reported with the other folders.
    if (errorCode(error) === null) throw error;
    return [];
  }
}
