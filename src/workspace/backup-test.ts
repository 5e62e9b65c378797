import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { msFromIso } from '../domain/clock.js';
import { OperatorError } from '../domain/operator-error.js';
import { writeFileAtomic } from './files/atomic-write.js';
import { errorCode, ioError } from './files/io-error.js';

/**
 * When a backup was last restored for a test, and the result. It is kept beside the ledger and not in it: a restore rolls the
 * ledger back, and an operator who needs a backup may have no ledger.
 */
export interface BackupTest {
  /** The backup; absolute. */
  readonly file: string;
  /** Lower-case hex SHA-256 of the bytes that were tested. */
  readonly sha256: string;
  readonly testedAt: string;
  /** Of the Registrar that tested it. */
  readonly version: string;
  /** A sentence that says why it can't be relied on; null: it can. */
  readonly fault: string | null;
}

/** Its name in the workspace. */
export const BACKUP_TEST_FILE = 'registrar.backup-test.json';

/** The last test of a backup; null where there was none. Throws OperatorError where the file isn't Registrar's. */
export function readBackupTest(root: string): BackupTest | null {
  const path = join(root, BACKUP_TEST_FILE);
  try {
    const { file, sha256, testedAt, version, fault } = JSON.parse(readFileSync(path, 'utf8')) as BackupTest;
    const areTexts = [file, sha256, testedAt, version].every((one) => typeof one === 'string');
    if (areTexts && !Number.isNaN(msFromIso(testedAt)) && (fault === null || typeof fault === 'string')) {
      return { file, sha256, testedAt, version, fault };
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    // `null` as JSON has no fields.
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw ioError(READING, path, error);
  }
  throw new OperatorError({
    operation: READING,
    subject: path,
    message: `${path}, which says when a backup was last restored for a test, is damaged`,
    hint: 'Delete it, or test a backup: registrar backup FILE --verify writes it again.',
    exit: 'io',
  });
}

const READING = 'read when a backup was tested';

/** Writes it so that a power cut leaves the old one or this one. */
export async function writeBackupTest(root: string, test: BackupTest): Promise<void> {
  await writeFileAtomic(
    join(root, BACKUP_TEST_FILE),
    `${JSON.stringify({ about: ABOUT, ...test }, null, 2)}\n`,
  );
}

const ABOUT =
  'When a backup was last restored for a test (registrar backup FILE --verify), for registrar doctor.';
