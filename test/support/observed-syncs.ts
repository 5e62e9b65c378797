import { readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tempFolder } from './temp-folder.js';

/** Files and folders that were written through to the disk while `act` went on, by path, in order. */
export async function observedSyncs(act: () => Promise<unknown>): Promise<string[]> {
  const handle = await open(tempFolder(), 'r');
  // What every handle of this process has its methods from.
  const methods = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { sync, datasync } = methods;
  const synced: string[] = [];
  const observing = (original: typeof sync) =>
    function observed(this: FileHandle): Promise<void> {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`));
      return original.call(this);
    };
  methods.sync = observing(sync);
  methods.datasync = observing(datasync);
  try {
    await act();
  } finally {
    methods.sync = sync;
    methods.datasync = datasync;
  }
  return synced;
}
