import { statfs } from 'node:fs/promises';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { diskFault } from '../health/look-at-place.js';
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
export async function checkDisk({ root }: Pick<WorkspacePaths, 'root'>): Promise<Finding> {
  const { bavail, bsize, type } = await statfs(root);
  const network = NETWORK_TYPES.get(type);
  if (network !== undefined) {
    return disk.broken(
      root,
      `the ledger is on a network file system (${network}), where SQLite's locks don't hold`,
      'Move the workspace to a local disk; an inbox may stay where it is.',
    );
  }
  const fault = await diskFault(root);
  return fault === null
    ? disk.ok(root, `${Math.floor((bavail * bsize) / 1_000_000)} MB are free`)
    : disk.broken(root, fault.message, fault.remedy);
}
