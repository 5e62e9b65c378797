import { rm } from 'node:fs/promises';
import { type Clock, isoFromMs } from '../../domain/clock.js';
import { errorsOf, OperatorError } from '../../domain/operator-error.js';
import { countOf } from '../../domain/text/count-of.js';
import { ledgerHealth } from '../../ledger/books/balance/ledger-health.js';
import { type LedgerMark, ledgerMark } from '../../ledger/store/ledger-mark.js';
import { openLedger, withLedger } from '../../ledger/store/open.js';
import type { FileLedger, Ledger } from '../../ledger/store/query.js';
import { reopenCopy } from '../../ledger/store/sqlite/seize-ledger.js';
import { damageOf } from '../../upkeep/explain-damage.js';
import { MARKER_FILE, readMarker } from '../../upkeep/marker.js';
import { LEDGER_SUFFIXES, removeLeftoverLedgers } from '../../upkeep/replace-ledger.js';
import { VERSION } from '../../version.js';
import { copyVerified, type VerifiedCopy } from '../../workspace/files/copy-verified.js';
import { statOf } from '../../workspace/files/entries.js';
import { asIoError, sqliteCode } from '../../workspace/files/io-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import type { LocatedWorkspace } from '../context.js';
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
    const sound = await examineCopy(path, file, own, 'deep', clock).catch(async (error) => {
      if (!(error instanceof OperatorError) || error.exit === 'usage') throw error;
      await writeBackupTest(paths.root, { ...test, fault: error.message });
      const hint = 'Keep older backups, make another one, and test that. The ledger was not changed.';
      throw refusal(file, error.message, hint, { exit: error.exit, cause: error });
    });
    const { damaged } = sound;
    const fault = damaged === 0 ? null : `what it keeps of ${countOf(damaged, 'row')} is damaged`;
    await writeBackupTest(paths.root, { ...test, fault });
    return { ...sound, path: file, bytes: original.sizeBytes, sha256, testedAt: test.testedAt };
  });
}

/** Works on a copy beside the ledger, which is removed afterwards where nothing has moved it away. */
export async function withCopy<T>(
  { root, ledger }: WorkspacePaths,
  file: string,
  work: (copy: VerifiedCopy) => Promise<T>,
): Promise<T> {
  const copy = await copyInto(root, file);
  try {
    return await work(copy).catch(asIoError('restore the ledger', ledger));
  } finally {
    for (const suffix of LEDGER_SUFFIXES) await rm(copy.path + suffix, { force: true });
  }
}

/** A ledger that an earlier restore replaced becomes one that can be opened. @param file the backup. */
export function openCopy(path: string, file: string, clock: Clock): FileLedger {
  reopenCopy(path);
  return openLedger(path, clock, () => {
    throw refusal(file, `${file} is empty, so it is not a backup of a ledger`, UNCHANGED, { exit: 'io' });
  });
}

/**
 * Looks through the copy of a backup. Throws OperatorError, which names the backup and not its copy, where it isn't sound or
 * is of another ledger than the workspace's.
 * @param own the workspace's marker; null: nothing says which ledger is its own. @param how as `ledgerHealth` has it.
 */
export async function examineCopy(
  path: string,
  file: string,
  own: LedgerMark | null,
  how: 'full' | 'deep',
  clock: Clock,
) {
  try {
    return await withLedger(openCopy(path, file, clock), (ledger) =>
      requireSound(ledger, file, how, own).catch(async (error) => {
        throw error instanceof OperatorError ? error : ((await damageOf(ledger, error)) ?? error);
      }),
    );
  } catch (error) {
    if (error instanceof OperatorError) {
      const hint = error.exit === 'usage' ? error.hint : UNCHANGED;
      throw refusal(file, error.message.replaceAll(path, file), hint, { exit: error.exit, cause: error });
    }
    const code = sqliteCode(error);
    // What says nothing about the backup is another error.
    if (code === null || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
    throw refusal(file, `${file} is damaged (${code})`, UNCHANGED, { exit: 'io', cause: error });
  }
}

const UNCHANGED = 'Name another backup. The ledger was not changed.';

/** A workspace whose ledger has imported and sent nothing may get any other: it was run before its own ledger was restored. */
function requireOwn(ledger: Ledger, own: LedgerMark | null, file: string): void {
  if (own === null || own.drop + own.attempt === 0 || own.ledger === ledgerMark(ledger).ledger) return;
  throw refusal(
    file,
    `${file} is a backup of a different ledger than this workspace's`,
    `Name a backup of this one, or the workspace that it belongs to: --workspace DIR. To continue with that ledger here anyway, first move registrar.db and ${MARKER_FILE} out of the workspace.`,
  );
}

/** Throws OperatorError where a file can't be a backup: there is none, it is the ledger itself, or it is in use. */
export async function refuseUnfit(file: string, paths: WorkspacePaths): Promise<void> {
  const stat = await statOf(file);
  if (!stat?.isFile()) {
    const isFolder = stat?.isDirectory() === true;
    const message = isFolder ? `${file} is a folder` : `there is no file ${file}`;
    throw refusal(file, message, isFolder ? 'Name a backup in it.' : 'Check the path, and name a backup.');
  }
  if (LEDGER_SUFFIXES.some((suffix) => file === paths.ledger + suffix)) {
    throw refusal(file, `${file} is the ledger itself`, 'Name a backup of it.');
  }
  if (((await statOf(`${file}-wal`))?.size ?? 0) > 0) {
    const message = `${file} has a log beside it, ${file}-wal: it is in use, or was copied while it was`;
    throw refusal(file, message, 'Make a backup of it with registrar backup, and restore that.');
  }
}

/** A copy beside the ledger, so that a rename can put it in its place. */
async function copyInto(folder: string, file: string): Promise<VerifiedCopy> {
  const copying = removeLeftoverLedgers(folder).then(() => copyVerified(file, folder));
  const copy = await copying.catch(asIoError('copy the backup', file));
  if (copy !== null) return copy;
  const message = `${file} changed while it was copied, or isn't a plain file`;
  throw refusal(file, message, 'Name the backup itself.');
}

/** `damaged`: how many records are; 0 where they were not compared. */
async function requireSound(ledger: Ledger, file: string, how: 'full' | 'deep', own: LedgerMark | null) {
  const { fault, damaged, imbalances, totals } = await ledgerHealth(ledger, how);
  if (fault !== null || totals === null) {
    throw refusal(file, `${file} is damaged (${fault})`, UNCHANGED, { exit: 'io' });
  }
  const [imbalance] = imbalances ?? [];
  if (imbalance) {
    const message = `the books of ${file} don't balance (${imbalance.subject})`;
    throw refusal(file, message, UNCHANGED, { exit: 'unbalanced' });
  }
  requireOwn(ledger, own, file);
  return { totals, damaged: damaged?.count ?? 0 };
}

export const refusal = errorsOf('restore the ledger');

/** Requires a ledger in a file. @param operation what a database doesn't need, such as `restore a backup`. */
export function requireFile({ database, root }: WorkspacePaths, operation: string): void {
  if (database === null) return;
  throw errorsOf(operation)(
    root,
    'the ledger of this workspace is a database, not a file: its own tools back it up and restore it',
    'See docs/deploy.md, "A database for several machines". Nothing was changed.',
  );
}
