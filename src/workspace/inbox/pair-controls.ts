import type { SourceConfig } from '../../config/schema.js';
import { isoFromMs } from '../../domain/clock.js';
import { controlNameOf, isControlName } from './control-name.js';
import type { InboxFile, LeftFile } from './list-inbox.js';

/** A file to take, and its control file; null where the source has none, or none came in time. */
export interface PairedFile {
  readonly file: InboxFile;
  readonly control: InboxFile | null;
}

export interface Pairing {
  readonly ready: readonly PairedFile[];
  /** Their control files have not come yet. */
  readonly waiting: readonly LeftFile[];
}

/**
 * Finds each drop's control file among the files of an inbox, whatever the case of their names. A drop without one waits for it
 * until `control.waitMs` after the drop was last touched; then it is ready without.
 */
export function pairControls(
  files: readonly InboxFile[],
  control: SourceConfig['control'],
  nowMs: number,
): Pairing {
  const pattern = control?.file;
  if (control === undefined || pattern === undefined) {
    return { ready: files.map((file) => ({ file, control: null })), waiting: [] };
  }
  const byName = new Map(files.toReversed().map((file) => [file.name.toLowerCase(), file]));
  const ready: PairedFile[] = [];
  const waiting: LeftFile[] = [];
  for (const file of files) {
    if (isControlName(pattern, file.name)) continue;
    const name = controlNameOf(pattern, file.name);
    const found = byName.get(name.toLowerCase()) ?? null;
    const untilMs = Math.max(file.mtimeMs, file.ctimeMs) + control.waitMs;
    if (found !== null || nowMs >= untilMs) ready.push({ file, control: found });
    else {
      const reason = `waits for its control file ${name}, until ${isoFromMs(untilMs)}`;
      waiting.push({ name: file.name, reason, needsAttention: true });
    }
  }
  return { ready, waiting };
}
