import { isoFromMs } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { ledgerMark } from '../../ledger/store/ledger-mark.js';
import { closeLedger } from '../../ledger/store/open.js';
import type { Ledger } from '../../ledger/store/query.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import { VERSION } from '../../version.js';
import { writeBackupTest } from '../../workspace/backup-test.js';
import type { VerifiedCopy } from '../../workspace/files/copy-verified.js';
import { sqliteCode } from '../../workspace/files/io-error.js';
import { type Marker, readMarker } from '../../workspace/marker.js';
import type { LocatedWorkspace } from '../context.js';
import { openCopy, refuseUnfit, requireSound, type SoundBackup, withCopy } from './backup-copy.js';

/** A backup that was restored for a test; it is sound but for what `damaged` says. */
export interface VerifiedBackup extends SoundBackup {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly testedAt: string;
}

/**
 * Restores a backup for a test: into a copy beside the ledger, as `restore` does, which is opened, brought to this version's
 * schema, looked through like a new backup, and gone afterwards. Notes in the workspace what came of it, and changes nothing
 * else. Works also where the ledger is lost. Throws OperatorError where it isn't sound (74; 3 for its books), and where it
 * is no backup of this workspace's ledger.
 * @param file absolute.
 */
export async function verifyBackup(place: LocatedWorkspace, file: string): Promise<VerifiedBackup> {
  try {
    await refuseUnfit(file, place.paths);
    // Before anything is found out: that the marker can't be read says nothing about the backup.
    const own = readMarker(place.paths.root);
    return await withCopy(place.paths, file, async (copy) => testCopy(place, own, file, copy));
  } catch (error) {
    throw error instanceof OperatorError ? ofTest(error, error.message, error.hint) : error;
  }
}

async function testCopy(
  { paths, clock }: LocatedWorkspace,
  own: Marker | null,
  file: string,
  { path, sha256, original }: VerifiedCopy,
): Promise<VerifiedBackup> {
  const test = { file, sha256, testedAt: isoFromMs(clock.nowMs()), version: VERSION };
  let sound: SoundBackup;
  try {
    const ledger = openCopy(path, clock);
    try {
      sound = await look(ledger, file);
      requireOwn(ledger, own, file);
    } finally {
      closeLedger(ledger);
    }
  } catch (error) {
    const failure = failureOf(error, file, path);
    if (failure.exit !== 'usage') await writeBackupTest(paths.root, { ...test, fault: failure.message });
    throw failure;
  }
  const { damaged } = sound;
  const fault = damaged === 0 ? null : `what it keeps of ${countOf(damaged, 'row')} is damaged`;
  await writeBackupTest(paths.root, { ...test, fault });
  return { ...sound, path: file, bytes: original.sizeBytes, sha256, testedAt: test.testedAt };
}

async function look(ledger: Ledger, file: string): Promise<SoundBackup> {
  try {
    return await requireSound(ledger, file, 'deep');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw (await damageOf(ledger, error)) ?? error;
  }
}

/** Throws OperatorError for a backup of another ledger. @param own null: nothing tells of the workspace's own. */
function requireOwn(ledger: Ledger, own: Marker | null, file: string): void {
  if (own === null || own.ledger === ledgerMark(ledger).ledger) return;
  throw new OperatorError({
    operation: TESTING,
    subject: file,
    message: `${file} is a backup of another ledger than this workspace's`,
    hint: 'Name a backup of this one, or the workspace that it is of: --workspace DIR.',
  });
}

const TESTING = 'restore the backup for a test';

/** Whoever asked knows the backup, and not its copy. Throws what says nothing about the backup. */
function failureOf(error: unknown, file: string, copy: string): OperatorError {
  if (error instanceof OperatorError) {
    const message = error.message.replaceAll(copy, file);
    return ofTest(error, message, error.exit === 'usage' ? error.hint : OTHERS, file);
  }
  const code = sqliteCode(error);
  if (code === null || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
  const message = `${file} is damaged (${code})`;
  return new OperatorError({
    operation: TESTING,
    subject: file,
    message,
    hint: OTHERS,
    exit: 'io',
    cause: error,
  });
}

const OTHERS = 'Keep older backups, make another one, and test that. The ledger was not changed.';

function ofTest(cause: OperatorError, message: string, hint: string, subject = cause.subject): OperatorError {
  return new OperatorError({ operation: TESTING, subject, message, hint, exit: cause.exit, cause });
}
