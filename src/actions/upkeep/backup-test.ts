import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../workspace/files/durable.js';
import { errorCode, ioError } from '../../workspace/files/io-error.js';

/**
 * When a backup was last restored for a test, and the result. It is kept beside the ledger and not in it: a restore rolls the
 * ledger back, and an operator who needs a backup may have no ledger.
 */
export interface BackupTest {
  readonly file: string;
  /** Lower-case hex SHA-256 of the bytes that were tested. */
  readonly sha256: string;
  readonly testedAt: string;
  readonly version: string;
  /** A sentence that says why it can't be relied on; null: it can. */
  readonly fault: string | null;
}

export const BACKUP_TEST_FILE = 'registrar.backup-test.json';

/** The last test of a backup; null where there was none, or its note can't be read as one. */
export function readBackupTest(root: string): BackupTest | null {
  const path = join(root, BACKUP_TEST_FILE);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as BackupTest;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null;
    throw ioError('read when a backup was tested', path, error);
  }
}

/** Writes it so that a power cut leaves the old one or this one. */
export async function writeBackupTest(root: string, test: BackupTest): Promise<void> {
  await writeFileAtomic(
    join(root, BACKUP_TEST_FILE),
    `${JSON.stringify({ about: ABOUT, ...test }, null, 2)}\n`,
  );
}

const ABOUT =
  'When a backup was last restored as a test (registrar backup FILE --verify), for registrar status.';
