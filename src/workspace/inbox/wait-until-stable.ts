import type { Clock } from '../../domain/clock.js';
import { isUntouched } from '../files/plain-file.js';
import { type InboxFile, type LeftFile, lookAt } from './list-inbox.js';

export interface Stability {
  /** In the order given, as last seen. */
  readonly stable: readonly InboxFile[];
  /** For the next run. */
  readonly left: readonly LeftFile[];
}

/**
 * Divides files into complete ones and those still being written: a file is stable when size, times and inode stay the same for
 * `stableForMs`. A file last touched longer ago is stable at once; for the others, and those with a future time by this clock, it
 * waits once, for all together. Files that vanish meanwhile are left out: another process took them.
 * @param signal ends the wait; unsettled files are then left for the next run.
 */
export async function waitUntilStable(
  files: readonly InboxFile[],
  stableForMs: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Stability> {
  const nowMs = clock.nowMs();
  const remainingMs = new Map(files.map((file) => [file, restsForMs(file, stableForMs, nowMs)]));
  const waitMs = Math.max(0, ...remainingMs.values());
  if (waitMs === 0) return { stable: files, left: [] };

  await clock.sleep(waitMs, signal);
  const stable: InboxFile[] = [];
  const left: LeftFile[] = [];
  for (const file of files) {
    const waited = remainingMs.get(file) !== 0;
    const now = waited ? await lookAt(file.source, file.name, file.path) : file;
    if (now === 'gone') continue;
    const reason = !waited || 'reason' in now ? null : doubt(file, now, signal);
    if ('reason' in now) left.push({ name: file.name, ...now });
    else if (reason !== null) left.push({ name: file.name, reason, needsAttention: false });
    else stable.push(now);
  }
  return { stable, left };
}

/**
 * How long a file still has to rest: 0 where it has rested long enough; the whole time for one with a future time by this clock.
 */
export function restsForMs(file: InboxFile, stableForMs: number, nowMs: number): number {
  const ageMs = nowMs - Math.max(file.mtimeMs, file.ctimeMs);
  if (ageMs >= stableForMs) return 0;
  return Math.ceil(stableForMs - Math.max(0, ageMs));
}

/** Why a file that was waited for may not be complete; null when it is. */
function doubt(before: InboxFile, after: InboxFile, signal: AbortSignal | undefined): string | null {
  if (!isUntouched(before, after)) return 'still being written';
  return signal?.aborted ? 'too new, and the run ended before it was known to be complete' : null;
}
