import fs, { readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Files and folders that were synced to the disk during `act`, by path, in order. */
export async function observedSyncs(act: () => Promise<unknown>): Promise<string[]> {
  const { fsync } = fs;
  const synced: string[] = [];
  const observed = (file: number, done: (error: NodeJS.ErrnoException | null) => void) => {
    synced.push(readlinkSync(`/proc/self/fd/${file}`));
    fsync(file, done);
  };
  const replace = (by: unknown) => {
    Object.assign(fs, { fsync: by });
    syncBuiltinESMExports();
  };
  replace(observed);
  try {
    await act();
  } finally {
    replace(fsync);
  }
  return synced;
}
