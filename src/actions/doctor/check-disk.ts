import { stat, statfs } from 'node:fs/promises';
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

/** Whether the ledger's file system is a local one, and has room. */
export async function checkDisk({ root, ledger }: WorkspacePaths): Promise<Finding> {
  const { bavail, bsize, type } = await statfs(root);
  const network = NETWORK_TYPES.get(type);
  if (network !== undefined) {
    return disk.broken(
      root,
      `the ledger is on a network file system (${network}), where SQLite's locks don't hold`,
      'Move the workspace to a local disk; an inbox may stay where it is.',
    );
  }
  return roomFinding(root, {
    freeBytes: bavail * bsize,
    ledgerBytes: (await sizeOf(ledger)) + (await sizeOf(`${ledger}-wal`)),
  });
}

/** What the room on a disk is judged by. */
export interface Room {
  readonly freeBytes: number;
  /** The ledger with its log; 0 where there is none. */
  readonly ledgerBytes: number;
}

/** SQLite's log alone may grow that far between two checkpoints, once the ledger is as large. */
const MIN_BYTES = 100_000_000;
/** A large export with its reports. */
const LARGE_FILE_BYTES = 1_000_000_000;
/** Whether the free room is enough for a transaction, for a large file and for a purge. */
export function roomFinding(subject: string, { freeBytes, ledgerBytes }: Room): Finding {
  const size = ledgerBytes === 0 ? '' : `; the ledger takes ${wholeMb(ledgerBytes)} MB`;
  const message = `${Math.floor(freeBytes / MB)} MB are free${size}`;
  if (freeBytes < MIN_BYTES) {
    return disk.broken(subject, message, `Make room before the next run: ${wholeMb(MIN_BYTES)} MB at least.`);
  }
  // The copy, and the log that it is written through; a backup beside the ledger needs one.
  const [bytes, what] =
    2 * ledgerBytes > LARGE_FILE_BYTES
      ? [2 * ledgerBytes, 'a purge, which rewrites the ledger, or a backup on this disk']
      : [LARGE_FILE_BYTES, 'a large file with its reports'];
  if (freeBytes >= bytes) return disk.ok(subject, message);
  return disk.attention(subject, message, `Make room: ${wholeMb(bytes)} MB are enough for ${what}.`);
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
