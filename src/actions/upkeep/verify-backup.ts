import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { readMarker } from '../../upkeep/marker.js';
import { VERSION } from '../../version.js';
import type { LocatedWorkspace } from '../context.js';
import { examineCopy, refusal, refuseUnfit, type SoundBackup, withCopy } from './backup-copy.js';
import { writeBackupTest } from './backup-test.js';

/**
 * Restores a backup for a test: into a copy beside the ledger, as `restore` does, which is opened, brought to this version's
 * schema, looked through like a new backup, and gone afterwards. Records the result in the workspace, and changes nothing else.
 * Works also where the ledger is lost. Throws OperatorError where it isn't sound (74; 3 for its books), and where it is no
 * backup of this workspace's ledger.
 * @param file absolute.
 */
export async function verifyBackup({ paths, clock }: LocatedWorkspace, file: string) {
  await refuseUnfit(file, paths);
  // Before anything is found out: that the marker can't be read says nothing about the backup.
  const own = readMarker(paths.root);
  return withCopy(paths, file, async ({ path, sha256, original }) => {
    const test = { file, sha256, testedAt: isoFromMs(clock.nowMs()), version: VERSION };
    let sound: SoundBackup;
    try {
      sound = await examineCopy(path, file, own, 'deep', clock);
    } catch (error) {
      if (!(error instanceof OperatorError) || error.exit === 'usage') throw error;
      await writeBackupTest(paths.root, { ...test, fault: error.message });
      const hint = 'Keep older backups, make another one, and test that. The ledger was not changed.';
      throw refusal(file, error.message, hint, { exit: error.exit, cause: error });
    }
    const { damaged } = sound;
    const fault = damaged === 0 ? null : `what it keeps of ${countOf(damaged, 'row')} is damaged`;
    await writeBackupTest(paths.root, { ...test, fault });
    return { ...sound, path: file, bytes: original.sizeBytes, sha256, testedAt: test.testedAt };
  });
}
