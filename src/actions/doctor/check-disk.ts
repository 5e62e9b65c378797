import { stat, statfs } from 'node:fs/promises';
import { type Clock, msFromIso } from '../../domain/clock.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type Finding, findings } from './finding.js';

const disk = findings('disk', 'io');

/** Types of file systems as `statfs` numbers them, on which SQLite's locks don't hold. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

const DAY_MS = 86_400_000;

/** Whether the ledger's file system is a local one, and has room. @param firstRunAt null: unknown, or there was no run. */
export async function checkDisk(
  { root, ledger }: WorkspacePaths,
  clock: Clock,
  firstRunAt: string | null,
): Promise<Finding> {
  const { bavail, bsize, type } = await statfs(root);
  const network = NETWORK_TYPES.get(type);
  if (network !== undefined) {
    return disk.broken(
      root,
      `the ledger lies on a network file system (${network}), where SQLite's locks don't hold`,
      'Move the workspace to a local disk; an inbox may stay where it is.',
    );
  }
  return roomFinding(root, {
    freeBytes: bavail * bsize,
    ledgerBytes: (await sizeOf(ledger)) + (await sizeOf(`${ledger}-wal`)),
    ageDays: firstRunAt === null ? null : (clock.nowMs() - msFromIso(firstRunAt)) / DAY_MS,
  });
}

/** What the room on a disk is judged by. */
export interface Room {
  readonly freeBytes: number;
  /** The ledger with its log; 0 where there is none. */
  readonly ledgerBytes: number;
  /** Since the ledger's first run; null: unknown, or there was no run. */
  readonly ageDays: number | null;
}

/** SQLite's log alone may grow that far between two checkpoints, once the ledger is as large. */
const LEAST_BYTES = 100_000_000;
/** A large export with its reports. */
const LARGE_FILE_BYTES = 1_000_000_000;
/** For so long whoever reads this needn't think of the disk again. */
const AHEAD_DAYS = 30;
/** What a ledger took in its first days, such as all of the past, is no growth a day. */
const LEAST_AGE_DAYS = 7;
/** What a ledger took within its first day foretells nothing. */
const LEAST_FORECAST_DAYS = 1;

/** Whether the free room is enough for a transaction, for a large file, for a purge and for what the ledger grows. */
export function roomFinding(subject: string, { freeBytes, ledgerBytes, ageDays }: Room): Finding {
  const perDay = ageDays === null ? 0 : ledgerBytes / Math.max(ageDays, LEAST_AGE_DAYS);
  const growth = AHEAD_DAYS * perDay;
  const grown =
    ageDays === null || ageDays < LEAST_FORECAST_DAYS
      ? ''
      : ` and grows by ${wholeMb(growth)} MB in ${AHEAD_DAYS} days`;
  const size = ledgerBytes === 0 ? '' : `; the ledger takes ${wholeMb(ledgerBytes)} MB${grown}`;
  const message = `${Math.floor(freeBytes / MB)} MB are free${size}`;
  if (freeBytes < LEAST_BYTES) {
    return disk.broken(
      subject,
      message,
      `Make room before the next run: ${wholeMb(LEAST_BYTES)} MB at least.`,
    );
  }
  const wants = [
    { bytes: LARGE_FILE_BYTES, what: 'a large file with its reports' },
    // The copy, and the log that it is written through; a backup beside the ledger needs one.
    { bytes: 2 * ledgerBytes, what: 'a purge, which writes the ledger anew, or a backup on this disk' },
    { bytes: growth, what: `what the ledger grows in ${AHEAD_DAYS} days` },
  ];
  const most = wants.reduce((larger, want) => (want.bytes > larger.bytes ? want : larger));
  if (freeBytes >= most.bytes) return disk.ok(subject, message);
  return disk.attention(
    subject,
    message,
    `Make room: ${wholeMb(most.bytes)} MB are enough for ${most.what}.`,
  );
}

const MB = 1_000_000;

function wholeMb(bytes: number): number {
  return Math.ceil(bytes / MB);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
