import type { Clock } from '../../domain/clock.js';
import { isUntouched } from '../files/plain-file.js';
import { type InboxFile, lookAt } from './list-inbox.js';

/**
 * The complete ones of these files, in the order given, as last seen: a file is stable when size, times and inode stay the same for
 * `stableForMs`. A file last touched longer ago is stable at once; for the others, and those with a future time by this clock, it
 * waits once, for all together. Files that are still being written are left for the next run.
 * @param signal ends the wait; unsettled files are then left for the next run.
 */
export async function waitUntilStable(
  files: readonly InboxFile[],
  stableForMs: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<readonly InboxFile[]> {
  const nowMs = clock.nowMs();
  const remainingMs = new Map(files.map((file) => [file, restsForMs(file, stableForMs, nowMs)]));
  const waitMs = Math.max(0, ...remainingMs.values());
  if (waitMs === 0) return files;

  await clock.sleep(waitMs, signal);
  const stable: InboxFile[] = [];
  for (const file of files) {
    if (remainingMs.get(file) !== 0) {
      const now = signal?.aborted ? 'gone' : await lookAt(file.source, file.name, file.path);
      if (typeof now === 'string' || !isUntouched(file, now)) continue;
    }
    stable.push(file);
  }
  return stable;
}

/**
 * How long a file still has to rest: 0 where it has rested long enough; the whole time for one with a future time by this clock.
 */
export function restsForMs(file: InboxFile, stableForMs: number, nowMs: number): number {
  const ageMs = nowMs - Math.max(file.mtimeMs, file.ctimeMs);
  if (ageMs >= stableForMs) return 0;
  return Math.ceil(stableForMs - Math.max(0, ageMs));
}
