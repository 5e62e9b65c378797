import { statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4e9;

/**
 * Variables for the tests: their workspaces are in memory where there is room, so that no test waits for a disk. Variables that are already set stay.
 */
export function memoryFolder(): { TMPDIR?: string } {
  if (process.env.TMPDIR !== undefined) return {};
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? { TMPDIR: IN_MEMORY } : {};
  } catch {
    return {};
  }
}
