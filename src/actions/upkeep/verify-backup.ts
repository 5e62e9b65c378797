import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import type { LedgerMark } from '../../ledger/store/ledger-mark.js';
import { readMarker } from '../../upkeep/marker.js';
import { VERSION } from '../../version.js';
import type { VerifiedCopy } from '../../workspace/files/copy-verified.js';
import type { LocatedWorkspace } from '../context.js';
import { examineCopy, refuseUnfit, type SoundBackup, withCopy } from './backup-copy.js';
import { writeBackupTest } from './backup-test.js';

/** A backup that was restored for a test; it is sound but for what `damaged` says. */
export interface VerifiedBackup extends SoundBackup {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly testedAt: string;
}

/**
 * Restores a backup for a test: into a copy beside the ledger, as `restore` does, which is opened, brought to this version's
 * schema, looked through like a new backup, and gone afterwards. Records the result in the workspace, and changes nothing else.
 * Works also where the ledger is lost. Throws OperatorError where it isn't sound (74; 3 for its books), and where it is no backup
 * of this workspace's ledger.
 * @param file absolute.
 */
export async function verifyBackup(place: LocatedWorkspace, file: string): Promise<VerifiedBackup> {
  try {
    await refuseUnfit(file, place.paths);
    // Before anything is found out: that the marker can't be read says nothing about the backup.
    const own = readMarker(place.paths.root);
    return await withCopy(place.paths, file, async (copy) => testCopy(place, own, file, copy));
  } catch (error) {
    throw error instanceof OperatorError ? ofTest(error) : error;
  }
}

async function testCopy(
  { paths, clock }: LocatedWorkspace,
  own: LedgerMark | null,
  file: string,
  { path, sha256, original }: VerifiedCopy,
): Promise<VerifiedBackup> {
  const test = { file, sha256, testedAt: isoFromMs(clock.nowMs()), version: VERSION };
  let sound: SoundBackup;
  try {
    sound = await examineCopy(path, file, own, 'deep', clock);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.exit !== 'usage') await writeBackupTest(paths.root, { ...test, fault: error.message });
    throw error.exit === 'usage' ? error : ofTest(error, OTHERS);
  }
  const { damaged } = sound;
  const fault = damaged === 0 ? null : `what it keeps of ${countOf(damaged, 'row')} is damaged`;
  await writeBackupTest(paths.root, { ...test, fault });
  return { ...sound, path: file, bytes: original.sizeBytes, sha256, testedAt: test.testedAt };
}

const OTHERS = 'Keep older backups, make another one, and test that. The ledger was not changed.';

function ofTest(cause: OperatorError, hint = cause.hint): OperatorError {
  const { subject, message, exit } = cause;
  const operation = 'restore the backup for a test';
  return new OperatorError({ operation, subject, message, hint, exit, cause });
}
