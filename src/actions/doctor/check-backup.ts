import { type Clock, msFromIso } from '../../domain/clock.js';
import { OperatorError } from '../../domain/operator-error.js';
import { type BackupTest, readBackupTest } from '../../workspace/backup-test.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Finding, findings } from './finding.js';

const backup = findings('backup', 'io');

/** When a backup was last restored for a test. @param firstRunAt null: unknown, or there was no run. */
export function* checkBackup(
  { root }: WorkspacePaths,
  clock: Clock,
  firstRunAt: string | null,
): Generator<Finding> {
  try {
    yield* testFindings(readBackupTest(root), clock.nowMs(), firstRunAt);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    yield backup.attention(error.subject, error.message, error.hint);
  }
}

const DAY_MS = 86_400_000;
/** So long a new workspace may go without. */
const FIRST_DAYS = 30;
/** Twice a year, because disks and administrators change. */
const AGAIN_DAYS = 183;

/** What the last test of a backup, or that there was none, says now. @param firstRunAt null: nothing is there to be lost. */
export function* testFindings(
  test: BackupTest | null,
  nowMs: number,
  firstRunAt: string | null,
): Generator<Finding> {
  if (test === null) {
    if (firstRunAt === null) return;
    const days = daysSince(firstRunAt, nowMs);
    const none = 'no backup of this ledger was restored for a test yet';
    yield days <= FIRST_DAYS
      ? backup.ok('all', none)
      : backup.attention('all', `${none}, ${days} days after its first run`, TEST);
    return;
  }
  const { file, testedAt, fault } = test;
  const days = daysSince(testedAt, nowMs);
  if (fault !== null) {
    yield backup.attention(
      file,
      `failed when it was restored for a test at ${testedAt}: ${fault}`,
      `Make another backup. ${TEST}`,
    );
  } else if (days > AGAIN_DAYS) {
    yield backup.attention(file, `was last restored for a test at ${testedAt}, ${days} days ago`, TEST);
  } else yield backup.ok(file, `was last restored for a test at ${testedAt}, and is sound`);
}

const TEST = 'Test one, its newest best: registrar backup FILE --verify.';

function daysSince(iso: string, nowMs: number): number {
  return Math.floor((nowMs - msFromIso(iso)) / DAY_MS);
}
